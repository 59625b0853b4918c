// What is next to an enquiry in a list that has changed since it was shown. The newest come first.

// The enquiry next to this one, as {enquiry, data}, or null where there is none. read(page) resolves to the list's answer; `page` is that on
// which this enquiry was. It may be on another one by now, or on none: new enquiries move the others down, and an enquiry that was read no
// longer matches a filter.
export async function neighbour(read, { id, createdAt }, by, page) {
  const isNewer = (each) => (each.createdAt === createdAt ? each.id > id : each.createdAt > createdAt);
  const isBeyond = (each) => each.id !== id && isNewer(each) === (by < 0);
  let found = null, step = 0;
  for (;;) {
    const data = await read(page);
    if (page > data.pages && data.pages > 0) {
      page = data.pages;
      continue;
    }
    const nearest = by > 0 ? data.enquiries.find(isBeyond) : data.enquiries.findLast(isBeyond);
    if (nearest) found = { enquiry: nearest, data };
    // When a whole page lies in that direction, a nearer one may be on the page before it.
    if (nearest ? step === by || nearest !== data.enquiries.at(by > 0 ? 0 : -1) : step === -by) return found;
    step = nearest ? -by : by;
    page += step;
    if (page < 1 || page > data.pages) return found;
  }
}
