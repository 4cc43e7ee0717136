const timeoutMs = 8000;
const maxBytes = 64 * 1024;

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
export interface SigningContext {
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

/** Result of a message: the vendor's receipt, or the reason of the failure, with the phones that were refused if it has accepted others. */
export type VendorResult = { readonly receipt: string } | { readonly reason: string; readonly refusedPhones?: readonly string[] };

/** Returns the result of messages of which some were refused; of all of them if the vendor has accepted none, or does not name the phones. */
export function refusalOf(reason: string, phones: readonly string[], total: number): VendorResult {
  return phones.length < total && phones.every((phone) => phone !== '') ? { reason, refusedPhones: phones } : { reason };
}

/** Vendor of text messages with an HTTP API. */
export interface Vendor {
  request(message: Message, context: SigningContext): VendorRequest;
  /** Reads the JSON response. */
  read(reply: unknown): VendorResult;
}

/** Sends a request to a vendor and parses its JSON response; throws when the response is not JSON. */
export type SendVendorRequest = (request: VendorRequest) => Promise<unknown>;

/** Sends over the network without redirects, with a short timeout and a size limit. The addresses are fixed by the product, so the egress guard is not needed. */
export const sendVendorRequest: SendVendorRequest = async ({ url, headers, body }) => {
  const reply = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  if (Number(reply.headers.get('content-length') ?? 0) > maxBytes) throw new Error(`${new URL(url).host} sent a response that is too long`);
  const text = (await reply.text()).slice(0, maxBytes);
  return JSON.parse(text);
};
