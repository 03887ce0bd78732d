/**
 * Paints what changed. An answer of the coordinator mostly says what the last one said, in new
 * objects: `shared` puts the old ones back, so that a row of which nothing changed is the object
 * that it was. Its view is then kept, and a view that is the same object is not looked into.
 */

/** The new value, in which each part that says the same as in the old value is the old part. */
export function shared(before, after) {
  if (Array.isArray(before) && Array.isArray(after)) return sharedList(before, after);
  if (!isRecord(before) || !isRecord(after)) return after;
  const names = Object.keys(after);
  let isSame = names.length === Object.keys(before).length;
  for (const name of names) {
    const old = Object.hasOwn(before, name) ? before[name] : undefined;
    after[name] = shared(old, after[name]);
    isSame &&= after[name] === old;
  }
  return isSame ? before : after;
}

/** Rows are found by their ids, because others come and go above them. */
function sharedList(before, after) {
  const old = new Map(before.map((one) => [idOf(one), one]));
  let isSame = before.length === after.length;
  for (let i = 0; i < after.length; i += 1) {
    after[i] = shared(old.get(idOf(after[i])), after[i]);
    isSame &&= after[i] === before[i];
  }
  return isSame ? before : after;
}

/** The first field of a row is its id; if it is not, the row is only taken for a new one. */
const idOf = (one) => (isRecord(one) ? Object.values(one)[0] : one);

const isRecord = (value) =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

/**
 * Makes the views of rows by `make(row, ...beside)`, and keeps them: one is made again when its row
 * is another object, or is shown beside something else. So `make` reads nothing that changes but
 * its arguments: a time that passes, such as an age, is one of them, as text.
 */
export function kept(make) {
  const views = new WeakMap();
  return (row, ...beside) => {
    const last = views.get(row);
    if (last?.beside.every((one, i) => one === beside[i])) return last.view;
    const view = make(row, ...beside);
    views.set(row, { beside, view });
    return view;
  };
}
