/** Message with its recipients, credentials and template. */
export interface Message {
  readonly phones: readonly string[];
  readonly accessKey: string;
  readonly secretKey: string;
  readonly appId: string;
  readonly regionId: string;
  readonly signName: string;
  readonly templateId: string;
  /** Values of the placeholders, in the order of the template. */
  readonly params: readonly (readonly [name: string, value: string])[];
}

/** Inputs of a request that do not depend on the message. */
export interface SigningMoment {
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly nonce: string;
}

/** Signed request to a vendor. */
export interface VendorRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Result of a message: the vendor's receipt, or the reason of the failure. */
export type VendorResult = { readonly receipt: string } | { readonly reason: string };

/** Vendor of text messages with an HTTP API. */
export interface Vendor {
  request(message: Message, moment: SigningMoment): VendorRequest;
  /** Reads the JSON response. */
  read(reply: unknown): VendorResult;
}
