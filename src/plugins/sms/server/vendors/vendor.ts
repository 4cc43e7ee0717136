/** What is sent to whom, in whose name. */
export interface Message {
  readonly phones: readonly string[];
  readonly accessKey: string;
  readonly secretKey: string;
  readonly appId: string;
  readonly regionId: string;
  readonly signName: string;
  readonly templateId: string;
  /** In the order of the template. */
  readonly params: readonly (readonly [name: string, value: string])[];
}

/** What does not follow from a message. */
export interface Moment {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly nonce: string;
}

/** A request to a vendor, signed. */
export interface Asking {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** What a vendor said of a message. */
export type Told = { readonly receipt: string } | { readonly reason: string };

/** A vendor of text messages, spoken to over HTTP. */
export interface Vendor {
  request(message: Message, moment: Moment): Asking;
  /** Reads a reply of JSON. */
  read(reply: unknown): Told;
}
