/** The client in tradepost.js. */
export interface ClientOptions {
  /** How often a request is tried again; 4 by default. */
  retries?: number;
  /** Longer pauses, in seconds, are an error; 120 by default. */
  longestWait?: number;
  /** Of one attempt, in seconds; 60 by default. */
  timeout?: number;
  /** Takes the place of the global one. */
  fetch?: (url: string, init: any) => Promise<any>;
  /** What waits, in seconds. */
  sleep?: (seconds: number) => Promise<void> | void;
}
export type Filters = Record<string, string | number | boolean | null | undefined | (string | number)[]>;
export interface FeedOptions {
  /** `complete` archives what no row names. */
  mode?: "merge" | "complete";
  onError?: "abort" | "skip";
  dryRun?: boolean;
  organisationId?: string;
}
export interface Answer<Data> {
  status: number;
  /** Null with status 304. */
  data: Data;
  json: unknown;
  text: string;
  header(name: string): string | null;
}
export interface Fault {
  /** The member of the body, as a JSON pointer. */
  pointer?: string;
  /** The parameter of the query. */
  parameter?: string;
  code: string;
  detail: string;
}
/** A refused request, or an answer that shows what the public sees because the token cannot be used. The message is that of the API. */
export class TradepostError extends Error {
  method: string;
  path: string;
  answer: Answer<null>;
  /** 0 without an answer; 401 when the token was ignored, 403 when it lacks the scope. */
  status: number;
  /** The name of the request in the service's log; quote it in support requests. */
  requestId: string | null;
  /** Seconds after which the next attempt succeeds, where the service knows. */
  retryAfter: number | null;
  /** All that is wrong with the body or the query. */
  errors: Fault[];
}
/** The rows of a list, read page by page as they are asked for. */
export interface Poll<Row> extends AsyncIterable<Row> {
  /** For the next poll, once all rows were read. */
  readonly since: string | null;
}
/** What verify() found. */
export interface Verified {
  /** Nothing differs. */
  equal: boolean;
  /** Entries that the copy lacks. */
  missing: ListDigestPart["entries"];
  /** Entries that the copy has with another `updatedAt`. */
  changed: ListDigestPart["entries"];
  /** Ids of the copy that are not in the list. */
  gone: string[];
}
export interface Readable<Row, Listed, Page> {
  /** One page. */
  list(filters?: Filters): Promise<Page>;
  /** Every row, page by page, in the list's order. */
  each(filters?: Filters): AsyncIterable<Listed>;
  /** What changed since the last poll; everything with null, last updated first in your own lists. A row may come twice: compare `id` and `updatedAt`. */
  poll(since?: string | null, filters?: Filters): Poll<Listed>;
  /** One row, by its id; of jobs, events and posts also by its slug. */
  get(id: string): Promise<Row>;
  /** One row with its headers: header("etag") is what change(), put() and delete() take. With the ETag of an earlier answer the status may be 304. */
  read(id: string, etag?: string | null): Promise<Answer<Row | null>>;
}
export interface Writable<Row, New, Change> {
  /** A new row. `key` makes it safe to call this again after a crash; without one, the call itself is safe to repeat. */
  create(row: New, key?: string): Promise<Row>;
  /** A merge patch: null clears a field. With `etag` only if nobody else has changed the row: else 412. */
  change(id: string, changes: Change, etag?: string | null): Promise<Row>;
  delete(id: string, etag?: string | null): Promise<void>;
}
export interface Referenced<Row, Put, Change> {
  /** Creates or replaces the row with this reference of yours. */
  put(reference: string, row: Put, etag?: string | null): Promise<Row>;
  getByReference(reference: string, organisationId?: string): Promise<Row>;
  /** As change(), of the row with this reference. `organisationId` among the changes names one of several organisations. */
  changeByReference(reference: string, changes: Change & { organisationId?: string }, etag?: string | null): Promise<Row>;
  deleteByReference(reference: string, organisationId?: string): Promise<void>;
  /** Writes all rows in one request: all of them or none. Repeating it changes nothing. */
  feed(rows: Iterable<Put & { reference: string }> | AsyncIterable<Put & { reference: string }>, options?: FeedOptions): Promise<FeedResult>;
  /** All rows of the organisation, as feed() takes them. */
  readFeed(organisationId?: string): Promise<(Row & { reference: string })[]>;
  /** What was deleted since the last poll: begin with `since` of a poll, go on with `since` of this one. */
  deletions(since: string, filters?: Filters): Poll<DeletedItem>;
  /** How many rows have each value of these fields. */
  facets(fields: string[], filters?: Filters): Promise<Record<string, FacetValue[]>>;
  /**
   * Compares your copy of the list, an object from `id` to `updatedAt`, with the service's digest. Takes one request, and one more for each of
   * the 256 parts that differs. Call it after a poll.
   */
  verify(copy: Record<string, string>, filters?: Filters): Promise<Verified>;
}
export interface OrganisationClient {
  members(): Promise<Member[]>;
  changeMember(userId: string, role: "ADMIN" | "MEMBER"): Promise<Member>;
  removeMember(userId: string): Promise<void>;
  invitations(): Promise<Invitation[]>;
  /** Sends an email with a link; whoever opens it becomes a member with this role. */
  invite(email: string, role: "ADMIN" | "MEMBER"): Promise<Invitation>;
  withdrawInvitation(id: string): Promise<void>;
  /** The programs, each with its active tokens. */
  integrations(): Promise<Integration[]>;
  addIntegration(name: string): Promise<Integration>;
  /** Its tokens stop working at once. */
  deleteIntegration(id: string): Promise<void>;
  /** A new token; its value, `token`, is told this once. `scopes` is what it may do; null is all. */
  makeToken(integrationId: string, name: string, scopes: Scopes): Promise<NewIntegrationToken>;
  revokeToken(integrationId: string, tokenId: string): Promise<void>;
  /** What failed of the programs in the last 14 days, and how often each token was used on a day. */
  failures(): Promise<ProgramFailures>;
  /** Which emails the user gets. */
  letters(): Promise<Letters>;
  chooseLetters(enquiryMail: EnquiryMail): Promise<Letters>;
  webhooks(): Promise<Webhook[]>;
  /** A new webhook; its `secret` is told this once. */
  createWebhook(url: string, events: WebhookEvents): Promise<WebhookWithSecret>;
  changeWebhook(id: string, changes: WebhookChange): Promise<Webhook>;
  deleteWebhook(id: string): Promise<void>;
  /** A new `secret`, told this once; the old one signs beside it for 24 hours. */
  renewSecret(id: string): Promise<WebhookWithSecret>;
  /** Sends a message of type webhook.test. */
  testWebhook(id: string): Promise<Delivery>;
  /** The messages that were tried last, and how many wait. */
  deliveries(id: string): Promise<Deliveries>;
  /** Sends a message once more. */
  retryDelivery(id: string, deliveryId: string): Promise<Delivery>;
}
export class Tradepost {
  /** `token` is null to read what is public. */
  constructor(base: string, token?: string | null, options?: ClientOptions);
  /** A client with a new token. `code` is that of the second factor, `scopes` what the token may do; without them all. */
  static signIn(base: string, email: string, password: string, options?: ClientOptions & { code?: string; scopes?: Scopes }): Promise<Tradepost>;
  readonly base: string;
  /** To be kept and used again: it works for 90 days. */
  readonly token: string | null;
  readonly jobs: Readable<Job, JobListed, JobPage> & Writable<Job, JobNew, JobChange> & Referenced<Job, JobPut, JobChange>;
  readonly stock: Readable<StockItem, StockItem, StockPage> & Writable<StockItem, StockItemNew, StockItemChange> & Referenced<StockItem, StockItemPut, StockItemChange>;
  readonly events: Readable<Event, EventListed, EventPage> & Writable<Event, EventNew, EventChange> & Referenced<Event, EventPut, EventChange>;
  readonly posts: Readable<Post, PostListed, PostPage> & Writable<Post, PostNew, PostChange> & Referenced<Post, PostPut, PostChange>;
  readonly enquiries: Readable<Enquiry, Enquiry, EnquiryPage> & Writable<Enquiry, EnquiryNew, EnquiryChange>;
  readonly uploads: Readable<Upload, Upload, UploadPage> & Pick<Writable<Upload, UploadNew, never>, "create" | "delete">;
  readonly webhooks: Writable<Webhook, WebhookNew, WebhookChange> & { get(id: string): Promise<Webhook> };
  /** Revokes the token. */
  signOut(): Promise<void>;
  /** The user, their organisations and the token. */
  me(): Promise<Me>;
  tokens(): Promise<MyTokens>;
  /** When the token ends, as the last answer said: null while that is more than 14 days away. Then it is time for rotateToken(). */
  tokenExpiresAt(): string | null;
  /** Takes a new token in place of this one, and returns it, to be kept. The old one works for another 24 hours, or `overlapHours`. */
  rotateToken(overlapHours?: number): Promise<string>;
  revokeToken(id: string): Promise<void>;
  /** The people, programs and webhooks of an organisation; of the only one of the user without an id. */
  organisation(organisationId?: string): OrganisationClient;
  account(organisationId?: string): Promise<Account>;
  changeAccount(changes: AccountChange, organisationId?: string): Promise<Account>;
  /** Registers a device for notifications. */
  registerDevice(token: string, platform: "IOS" | "ANDROID" | "WEB", name?: string | null): Promise<void>;
  /** The user's devices, without their tokens. */
  devices(): Promise<NotificationTokens["notificationTokens"]>;
  removeDevice(id: string): Promise<void>;
  /** The key with which a browser subscribes to notifications; null when the service sends it none. */
  notificationKey(): Promise<string | null>;
  /** Uploads a file of up to 50 MiB: announces it, then sends its bytes. Returns the upload, READY. */
  upload(content: Uint8Array | { type: string; arrayBuffer(): Promise<ArrayBuffer> }, filename: string, contentType?: string, organisationId?: string): Promise<Upload>;
  /** Whether a webhook's request is genuine: the values of its headers webhook-id, webhook-timestamp and webhook-signature, and its body. */
  static isGenuine(id: string | null | undefined, timestamp: string | null | undefined, signatures: string | null | undefined, body: string, secret: string): Promise<boolean>;
  /** Any request, of operations without a method of their own too. Null in `query` is left out, a list repeats its name. */
  request<Data = unknown>(method: string, path: string, options?: {
    query?: Filters; body?: unknown; content?: string | Uint8Array; headers?: Record<string, string>;
  }): Promise<Answer<Data>>;
}
