import { hasPasskeys } from './passkey-support.ts';

/** Reason for which the browser made or used no passkey: the user or a time-out ended it, the device has it already, or this browser or address cannot. */
export type PasskeyFailure = 'cancelled' | 'exists' | 'unsupported';

/** Result of asking the browser for a passkey: the credential as JSON for the server, or the reason for which there is none. */
export type PasskeyResult = { readonly credential: string } | { readonly failure: PasskeyFailure };

/** Options of the server, in the JSON form of WebAuthn. */
type CreationOptions = Omit<PublicKeyCredentialCreationOptionsJSON, 'extensions'>;
type RequestOptions = Omit<PublicKeyCredentialRequestOptionsJSON, 'extensions'>;

/** Asks the browser to make a passkey. */
export function createPasskey(options: CreationOptions): Promise<PasskeyResult> {
  const { challenge, user, excludeCredentials = [], ...rest } = options;
  const publicKey = {
    ...(rest as PublicKeyCredentialCreationOptions),
    challenge: bytesOf(challenge),
    user: { ...user, id: bytesOf(user.id) },
    excludeCredentials: excludeCredentials.map(descriptorOf),
  };
  return resultOf(() => navigator.credentials.create({ publicKey }));
}

/** Asks the browser to sign a challenge with a passkey. */
export function signWithPasskey(options: RequestOptions): Promise<PasskeyResult> {
  const { challenge, allowCredentials = [], ...rest } = options;
  const publicKey = {
    ...(rest as PublicKeyCredentialRequestOptions),
    challenge: bytesOf(challenge),
    allowCredentials: allowCredentials.map(descriptorOf),
  };
  return resultOf(() => navigator.credentials.get({ publicKey }));
}

async function resultOf(ask: () => Promise<Credential | null>): Promise<PasskeyResult> {
  if (!hasPasskeys()) return { failure: 'unsupported' };
  try {
    const credential = await ask();
    return credential ? { credential: JSON.stringify(jsonOf(credential as PublicKeyCredential)) } : { failure: 'cancelled' };
  } catch (error) {
    const name = error instanceof DOMException ? error.name : '';
    return { failure: name === 'InvalidStateError' ? 'exists' : name === 'NotAllowedError' || name === 'AbortError' ? 'cancelled' : 'unsupported' };
  }
}

/** Builds the JSON form, which older browsers do not build themselves and password managers may not. */
function jsonOf({ id, rawId, type, response }: PublicKeyCredential): object {
  const { clientDataJSON, attestationObject, authenticatorData, signature, userHandle } = response as AuthenticatorAttestationResponse &
    AuthenticatorAssertionResponse;
  const parts = attestationObject
    ? { attestationObject: textOf(attestationObject), transports: (response as AuthenticatorAttestationResponse).getTransports?.() ?? [] }
    : { authenticatorData: textOf(authenticatorData), signature: textOf(signature), ...(userHandle ? { userHandle: textOf(userHandle) } : {}) };
  return { id, rawId: textOf(rawId), type, clientExtensionResults: {}, response: { clientDataJSON: textOf(clientDataJSON), ...parts } };
}

const descriptorOf = ({ id, transports = [] }: PublicKeyCredentialDescriptorJSON) => ({
  id: bytesOf(id),
  type: 'public-key' as const,
  transports: transports as AuthenticatorTransport[],
});

const bytesOf = (text: string) => Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));

const textOf = (buffer: ArrayBuffer) =>
  btoa(Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
