/** Tells whether this browser has passkeys at this address; none has them without https, except on localhost. */
export const hasPasskeys = (): boolean => typeof PublicKeyCredential === 'function' && navigator.credentials !== undefined;
