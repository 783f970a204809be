// The doors: each takes and gives plain data, as JSON.

const doors = {
  place, framePath, aim, throughFrame, arm, rest, report: () => report("now", ""), tree, field, selectAll, readBack, keyTaken, setValue,
  choose, selectState, uploadTarget, uploaded, scroller, scrolled, grows, focusFrame, focusOn, lifted, hover, stateOf,
  settle: async ({ again, ...o }) => {
    const seen = await settle(o);
    return again ? { ...seen, again: await doors[again.door](again.args) } : seen;
  },
  observe: (o) => ({ ...place(), path: framePath(), tree: o.selector ? selected(o.selector) : o.tree ? tree(o) : null }),
};

globalThis.__handeye = async (name, args) => JSON.stringify((await doors[name](args)) ?? null);
globalThis.__handeyeNode = (id) => byId(id);
