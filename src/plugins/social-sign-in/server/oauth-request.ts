/** Request of a browser to be sent to a provider. */
export interface OAuthRequest {
  readonly tenantId: string;
  /** User whose account the identity is linked to; empty for a sign-in. */
  readonly userId: string;
  readonly cookies: string;
}

/** Parameters with which a provider redirects a browser back. */
export interface CallbackParams {
  readonly code: string;
  readonly state: string;
}

/** Returns the address to which a provider sends browsers back. */
export const redirectUriOf = (source: string, publicUrl: URL | undefined): string => new URL(`oauth/redirect/${source}`, publicUrl).href;

/** Returns the address of a picture; empty for one that is not fetched over HTTP. */
export const pictureAddress = (text: string): string => (/^https?:\/\//.test(text) ? text : '');
