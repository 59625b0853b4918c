// What every generated client is asked to do, in the words of this test. Each adapter is compiled against the generated types.
export interface Item {
  id: string;
  reference: string;
  title: string;
  price: number | null;
  attributes: Record<string, string>;
}

export interface Calls {
  createToken(email: string, password: string): Promise<string>;
  // The token of all calls that follow.
  use(token: string): void;
  getMe(): Promise<{ email: string | null }>;
  getAccount(): Promise<{ name: string; role: "ADMIN" | "MEMBER" }>;
  createItem(reference: string, title: string): Promise<Item>;
  putItem(reference: string, title: string, attributes: Record<string, string>): Promise<Item>;
  getItem(id: string): Promise<Item>;
  changeItem(id: string, price: number, currency: string): Promise<Item>;
  listItems(reference: string): Promise<{ total: number; items: Item[] }>;
  getFacets(): Promise<Record<string, { value: string; count: number }[]>>;
  writeFeed(lines: string): Promise<{ created: number; failures: { line: number; error: string }[] }>;
  readFeed(): Promise<string>;
  listJobs(): Promise<number>;
  // The status and the text of the error.
  getMissing(id: string): Promise<[number, string]>;
  deleteItem(id: string): Promise<boolean>;
}

// A value that must be there.
export function there<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error("nothing came");
  return value;
}
