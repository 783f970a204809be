//! What people call the kinds of elements, and which elements can take what.

use super::Purpose;
use crate::language::Message;
use handeye_core::UiNode;

/// A kind of element as people say it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RoleWord {
    Button,
    Link,
    Tab,
    Checkbox,
    Radio,
    Switch,
    /// Something to type into.
    Field,
    /// A field of several lines.
    TextArea,
    /// A field to search with.
    Search,
    /// A list that drops down.
    Dropdown,
    Option,
    Menu,
    MenuItem,
    /// One of several things of a kind: a row, a list item, a card.
    Item,
    /// A row of a table, or what looks like one.
    Row,
    Cell,
    Heading,
    /// A small picture to click.
    Icon,
    Image,
    Slider,
    Dialog,
    /// A part of the page with a name of its own.
    Section,
    Form,
    Table,
    List,
    Navigation,
    Text,
    /// Said without saying anything: element, control, item on the screen.
    Any,
}

impl RoleWord {
    /// What people call it.
    pub(crate) fn said(self) -> Message {
        match self {
            Self::Button => Message("button", "按钮"),
            Self::Link => Message("link", "链接"),
            Self::Tab => Message("tab", "标签页"),
            Self::Checkbox => Message("checkbox", "复选框"),
            Self::Radio => Message("radio button", "单选按钮"),
            Self::Switch => Message("switch", "开关"),
            Self::Field => Message("field", "输入框"),
            Self::TextArea => Message("text area", "文本框"),
            Self::Search => Message("search field", "搜索框"),
            Self::Dropdown => Message("dropdown", "下拉框"),
            Self::Option => Message("option", "选项"),
            Self::Menu => Message("menu", "菜单"),
            Self::MenuItem => Message("menu item", "菜单项"),
            Self::Item => Message("item", "条目"),
            Self::Row => Message("row", "行"),
            Self::Cell => Message("cell", "单元格"),
            Self::Heading => Message("heading", "标题"),
            Self::Icon => Message("icon", "图标"),
            Self::Image => Message("image", "图片"),
            Self::Slider => Message("slider", "滑块"),
            Self::Dialog => Message("dialog", "对话框"),
            Self::Section => Message("section", "区域"),
            Self::Form => Message("form", "表单"),
            Self::Table => Message("table", "表格"),
            Self::List => Message("list", "列表"),
            Self::Navigation => Message("navigation", "导航栏"),
            Self::Text => Message("text", "文字"),
            Self::Any => Message("element", "元素"),
        }
    }
}

fn is_one_of(role: &str, roles: &[&str]) -> bool {
    roles.iter().any(|r| r.eq_ignore_ascii_case(role))
}

pub(crate) const FIELDS: &[&str] =
    &["textbox", "searchbox", "combobox", "spinbutton", "textarea", "date", "time", "datetime", "colorwell"];
const CHOICES: &[&str] = &[
    "combobox",
    "listbox",
    "option",
    "radio",
    "checkbox",
    "switch",
    "tab",
    "menuitem",
    "menuitemradio",
    "menuitemcheckbox",
    "treeitem",
    "listitem",
    "button",
    "link",
    "cell",
    "gridcell",
    "row",
];
const TICKS: &[&str] = &["checkbox", "switch", "radio", "menuitemcheckbox", "menuitemradio"];
pub(crate) const HOLDERS: &[&str] = &[
    "region",
    "section",
    "dialog",
    "alertdialog",
    "table",
    "grid",
    "treegrid",
    "list",
    "listbox",
    "navigation",
    "form",
    "group",
    "radiogroup",
    "article",
    "complementary",
    "banner",
    "contentinfo",
    "main",
    "menu",
    "menubar",
    "toolbar",
    "tablist",
    "tabpanel",
    "tree",
    "search",
    "fieldset",
    "row",
    "listitem",
    "rowgroup",
    "figure",
    "feed",
    "alert",
    "status",
    "generic",
    "iframe",
];

/// Whether a kind input takes typed text.
pub(crate) fn is_field(node: &UiNode) -> bool {
    let kind = node.kind.to_ascii_lowercase();
    if node.role.eq_ignore_ascii_case("combobox") {
        return !kind.starts_with("select");
    }
    is_one_of(&node.role, FIELDS)
        || kind == "textarea"
        || kind.strip_prefix("input:").is_some_and(|t| {
            !is_one_of(t, &["checkbox", "radio", "button", "submit", "reset", "image", "file", "range", "hidden"])
        })
}

fn is_lines(node: &UiNode) -> bool {
    node.states.multiline || node.kind.eq_ignore_ascii_case("textarea")
}

pub(crate) fn is_select(node: &UiNode) -> bool {
    node.kind.to_ascii_lowercase().starts_with("select") || !node.options.is_empty()
}

pub(crate) fn is_tick(node: &UiNode) -> bool {
    is_one_of(&node.role, TICKS) || (node.role == "button" && node.states.pressed.is_some())
}

fn is_file(node: &UiNode) -> bool {
    node.kind.eq_ignore_ascii_case("input:file")
}

/// A file field, or a button that may stand for one.
pub(crate) fn takes_files(node: &UiNode) -> bool {
    is_file(node) || node.role == "button"
}

/// How well an element fits a role word: what is taken off its score, or `None` when it cannot be meant.
pub(crate) fn role_cost(word: RoleWord, node: &UiNode) -> Option<f64> {
    let role = node.role.as_str();
    let kind = node.kind.to_ascii_lowercase();
    let one_of = |roles: &[&str]| is_one_of(role, roles);
    let generic_control =
        node.interactive && one_of(&["generic", "text", "img", "image", "listitem", "cell", "gridcell"]);
    match word {
        RoleWord::Button => {
            if role == "button" || matches!(kind.as_str(), "button" | "input:submit" | "input:button" | "input:image") {
                Some(0.0)
            } else if one_of(&["link", "tab", "menuitem", "switch"]) {
                Some(0.06)
            } else {
                (generic_control || one_of(&["radio", "checkbox"])).then_some(0.1)
            }
        }
        RoleWord::Link => match role {
            "link" => Some(0.0),
            "button" | "tab" | "menuitem" | "treeitem" => Some(0.08),
            _ if generic_control => Some(0.08),
            // A page may draw links without any markup; only an exact name carries such a text over the bar.
            "text" | "generic" => Some(0.16),
            _ => None,
        },
        RoleWord::Tab => match role {
            "tab" => Some(0.0),
            "link" | "button" | "radio" | "menuitem" => Some(0.06),
            _ if generic_control => Some(0.08),
            _ => None,
        },
        RoleWord::Checkbox => match role {
            "checkbox" | "menuitemcheckbox" => Some(0.0),
            "switch" => Some(0.04),
            _ => None,
        },
        RoleWord::Radio => one_of(&["radio", "menuitemradio"]).then_some(0.0),
        RoleWord::Switch => match role {
            "switch" => Some(0.0),
            "checkbox" | "menuitemcheckbox" => Some(0.03),
            "button" if node.states.pressed.is_some() => Some(0.0),
            "button" => Some(0.1),
            _ => None,
        },
        // `The text field` is the one of a single line where there is one.
        RoleWord::Field if is_lines(node) => Some(0.02),
        RoleWord::Field => is_field(node).then_some(0.0),
        RoleWord::TextArea if is_lines(node) => Some(0.0),
        RoleWord::TextArea => is_field(node).then_some(0.12),
        RoleWord::Search => is_field(node).then_some(if role == "searchbox" { 0.0 } else { 0.01 }),
        RoleWord::Dropdown => {
            if one_of(&["combobox", "listbox"]) || is_select(node) {
                Some(0.0)
            } else {
                (one_of(&["button", "menu", "link"])).then_some(if node.states.expanded.is_some() {
                    0.04
                } else {
                    0.12
                })
            }
        }
        RoleWord::Option => match role {
            "option" | "radio" | "menuitemradio" => Some(0.0),
            "menuitem" | "treeitem" | "listitem" | "checkbox" | "tab" => Some(0.04),
            "link" | "button" => Some(0.1),
            _ if generic_control => Some(0.08),
            "text" => Some(0.16),
            _ => None,
        },
        RoleWord::Menu => match role {
            "menu" | "menubar" => Some(0.04),
            "button" | "link" | "menuitem" | "combobox" => {
                Some(if node.states.expanded.is_some() || role == "menuitem" { 0.0 } else { 0.05 })
            }
            _ if generic_control => Some(0.08),
            _ => None,
        },
        RoleWord::MenuItem => match role {
            "menuitem" | "menuitemcheckbox" | "menuitemradio" => Some(0.0),
            "link" | "button" | "option" | "treeitem" | "listitem" => Some(0.05),
            _ if generic_control => Some(0.08),
            "text" => Some(0.16),
            _ => None,
        },
        RoleWord::Cell => one_of(&["cell", "gridcell", "rowheader", "columnheader"]).then_some(0.0),
        RoleWord::Heading => one_of(&["heading", "columnheader"]).then_some(0.0),
        RoleWord::Icon => match role {
            "img" | "image" | "button" | "link" => Some(0.0),
            _ if node.interactive => Some(0.05),
            _ => None,
        },
        RoleWord::Image => match role {
            "img" | "image" | "figure" => Some(0.0),
            "link" | "button" if node.interactive => Some(0.1),
            _ => None,
        },
        RoleWord::Slider => (one_of(&["slider", "scrollbar"]) || kind == "input:range").then_some(0.0),
        RoleWord::Dialog => match role {
            "dialog" | "alertdialog" => Some(0.0),
            _ => None,
        },
        RoleWord::Form => one_of(&["form", "search"]).then_some(0.0),
        RoleWord::Table => one_of(&["table", "grid", "treegrid"]).then_some(0.0),
        RoleWord::List => one_of(&["list", "listbox", "tree", "feed", "menu", "table", "grid"]).then_some(0.0),
        RoleWord::Navigation => match role {
            "navigation" | "menubar" | "toolbar" | "complementary" | "banner" | "contentinfo" | "menu" => Some(0.0),
            _ => None,
        },
        RoleWord::Section => is_one_of(role, HOLDERS).then_some(0.0),
        RoleWord::Text => {
            one_of(&["text", "label", "paragraph", "heading", "status", "alert", "generic", "cell", "link"])
                .then_some(0.0)
        }
        RoleWord::Item | RoleWord::Row | RoleWord::Any => Some(0.0),
    }
}

/// How well an element fits the purpose when no role was said.
pub(crate) fn purpose_cost(purpose: Purpose, node: &UiNode) -> Option<f64> {
    let role = node.role.as_str();
    match purpose {
        Purpose::Click => {
            if is_one_of(role, &["RootWebArea", "rootwebarea", "document", "main"]) {
                None
            } else if node.interactive {
                Some(0.0)
            } else {
                Some(0.16)
            }
        }
        Purpose::Type => {
            if is_field(node) || node.states.multiline {
                Some(0.0)
            } else if role == "slider" {
                Some(0.04)
            } else {
                None
            }
        }
        Purpose::Choose => {
            if is_select(node) || is_one_of(role, CHOICES) {
                let plain = is_one_of(role, &["button", "link", "cell", "gridcell", "row", "listitem"]);
                Some(if plain && !is_select(node) { 0.06 } else { 0.0 })
            } else if node.interactive && !is_field(node) {
                Some(0.08)
            } else {
                (role == "text").then_some(0.17)
            }
        }
        Purpose::Toggle => {
            if is_tick(node) {
                Some(0.0)
            } else {
                None
            }
        }
        Purpose::Upload => {
            if is_file(node) {
                Some(0.0)
            } else {
                (role == "button").then_some(0.1)
            }
        }
        Purpose::Point | Purpose::Read => Some(0.0),
        Purpose::Hold => is_one_of(role, HOLDERS).then_some(0.0),
    }
}
