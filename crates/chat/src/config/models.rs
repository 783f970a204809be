//! The models of all slots.

use super::ModelConfig;
use crate::budget::Budget;
use crate::price::{Price, Prices};
use handeye_core::{ChatError, Slot};
use std::collections::BTreeMap;

/// Which model is asked for what. Only slots that are set stand in it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Models(BTreeMap<Slot, ModelConfig>);

impl Models {
    /// One model for everything.
    pub fn one(config: ModelConfig) -> Self {
        Self(BTreeMap::from([(Slot::Default, config)]))
    }

    /// Those that are set. An error names the variable that is wrong.
    pub fn from_lookup(lookup: &dyn Fn(&str) -> Option<String>) -> Result<Self, ChatError> {
        let mut models = Self::default();
        for slot in Slot::ALL {
            if let Some(config) = ModelConfig::for_slot(slot, lookup)? {
                models.0.insert(slot, config);
            }
        }
        Ok(models)
    }

    pub fn set(&mut self, slot: Slot, config: ModelConfig) {
        self.0.insert(slot, config);
    }

    /// The slot whose model is asked: the slot itself when it is set, else the default one, else the one that plans.
    pub fn slot(&self, slot: Slot) -> Option<Slot> {
        [slot, Slot::Default, Slot::Planning].into_iter().find(|slot| self.0.contains_key(slot))
    }
    pub fn get(&self, slot: Slot) -> Option<&ModelConfig> {
        self.0.get(&self.slot(slot)?)
    }
    pub fn get_mut(&mut self, slot: Slot) -> Option<&mut ModelConfig> {
        let slot = self.slot(slot)?;
        self.0.get_mut(&slot)
    }

    /// Slots that are set, with their models.
    pub fn iter(&self) -> impl Iterator<Item = (Slot, &ModelConfig)> {
        self.0.iter().map(|(slot, config)| (*slot, config))
    }
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Slot, &mut ModelConfig)> {
        self.0.iter_mut().map(|(slot, config)| (*slot, config))
    }
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Both slots are answered by the same model at the same place.
    pub fn are_one(&self, a: Slot, b: Slot) -> bool {
        match (self.get(a), self.get(b)) {
            (Some(a), Some(b)) => a.provider == b.provider && a.name == b.name && a.family == b.family,
            _ => false,
        }
    }

    /// Sets the prices: `own` for the model that plans, the table's for all others.
    pub fn price_by(&mut self, prices: &Prices, own: Option<Price>) {
        let planning = self.slot(Slot::Planning);
        for (slot, config) in self.iter_mut() {
            config.price_by(prices, own.filter(|_| Some(slot) == planning));
        }
    }

    /// Keeps all of them within one budget.
    pub fn keep_within(&mut self, budget: &Budget) -> Result<(), ChatError> {
        self.iter_mut().try_for_each(|(_, config)| config.keep_within(budget))
    }
}
