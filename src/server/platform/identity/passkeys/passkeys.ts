import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { InputOf, ReplyOf } from '#shared/contract';
import { ApiError } from '#shared/errors';
import { type Passkey, type passkeyAnswer, passkeyProblems, type passkeys } from '#shared/passkeys';
import type { Log } from '../../../base/log.ts';
import { deviceOf } from '../../http/device.ts';
import type { Origin } from '../../http/route.ts';
import type { Principal } from '../../principal/principal.ts';
import type { Challenge, ChallengeBinding, PasskeyChallenges } from './passkey-challenges.ts';
import type { RelyingParties, RelyingParty } from './relying-parties.ts';
import type { PasskeyOwner, StoredPasskey, StoredPasskeys } from './stored-passkeys.ts';

/** Loaded with the first passkey: its parsers of certificates are large, and most servers start without using them. */
const loadWebAuthn = () => import('@simplewebauthn/server');

/** Answer of an authenticator: the token of its challenge, and the credential as JSON. */
export type PasskeyAnswer = { readonly [Name in keyof typeof passkeyAnswer]: string };

/** Dependencies of `Passkeys`. */
export interface PasskeysDeps {
  readonly stored: StoredPasskeys;
  readonly challenges: PasskeyChallenges;
  readonly parties: RelyingParties;
  /** Name that authenticators show beside the account. */
  readonly product: string;
  readonly log: Log;
}

/** A passkey and its answer, before the signature is verified. */
export interface ClaimedPasskey {
  readonly passkey: StoredPasskey;
  readonly challenge: Challenge;
  readonly response: AuthenticationResponseJSON;
}

/** Registers passkeys and verifies what they sign (WebAuthn). Every passkey can be found without an account name, and asks for the user's finger, face or PIN. */
export class Passkeys {
  constructor(private readonly deps: PasskeysDeps) {}

  async list(principal: Principal, { host }: Origin): Promise<ReplyOf<typeof passkeys.list>> {
    const { stored, parties } = this.deps;
    return { isAvailable: await parties.isOffered(host, principal.tenantId), passkeys: await stored.list(principal) };
  }

  async beginRegistration(principal: Principal, origin: Origin): Promise<ReplyOf<typeof passkeys.beginRegistration>> {
    const { stored, challenges, parties, product } = this.deps;
    const party = await parties.of(origin, principal.tenantId);
    const userHandle = await stored.handleOf(principal);
    const { generateRegistrationOptions } = await loadWebAuthn();
    const options = await generateRegistrationOptions({
      rpName: product,
      rpID: party.id,
      userID: Buffer.from(userHandle, 'base64url'),
      userName: principal.account,
      attestationType: 'none',
      excludeCredentials: (await stored.at(principal, party.id)).map(credentialOf),
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    const use = { purpose: 'register', subject: principal.sessionId } as const;
    return { attempt: await challenges.begin(use, { ...party, userHandle, challenge: options.challenge }), options };
  }

  async register({ attempt, credential, name }: InputOf<typeof passkeys.register>, principal: Principal, { userAgent }: Origin): Promise<Passkey> {
    const { stored, challenges } = this.deps;
    const challenge = await challenges.consume(attempt, { purpose: 'register', subject: principal.sessionId });
    if (!challenge) throw new ApiError(passkeyProblems.expired);
    const response = parsed<RegistrationResponseJSON>(credential);
    const { verifyRegistrationResponse } = await loadWebAuthn();
    const expected = { expectedChallenge: challenge.challenge, expectedOrigin: challenge.origin, expectedRPID: challenge.id };
    const result = await verifyRegistrationResponse({ response, ...expected, requireUserVerification: true }).catch(refused);
    if (!result.verified) throw new ApiError(passkeyProblems.refused);
    const { id, publicKey, counter, transports = [] } = result.registrationInfo.credential;
    // The owner of a passkey is found by its id: no other account may register the same one.
    if ((await stored.find(id, challenge.id)).length > 0) throw new ApiError(passkeyProblems.registeredAlready);
    return stored.add({
      tenantId: principal.tenantId,
      userId: principal.userId,
      userHandle: challenge.userHandle ?? '',
      credentialId: id,
      publicKey: Buffer.from(publicKey).toString('base64url'),
      counter,
      transports: transports.join(',').slice(0, 255),
      rpId: challenge.id,
      name: name?.trim() || deviceOf(userAgent),
    });
  }

  /** Begins a proof by a passkey: one of the owner, or any passkey of this address for a sign-in without an account name. */
  async begin(use: ChallengeBinding, origin: Origin, owner?: PasskeyOwner): Promise<ReplyOf<typeof passkeys.beginSignIn>> {
    const { challenges, parties } = this.deps;
    const party = await parties.of(origin, owner?.tenantId);
    const { generateAuthenticationOptions } = await loadWebAuthn();
    const options = await generateAuthenticationOptions({
      rpID: party.id,
      userVerification: owner ? 'preferred' : 'required',
      ...(owner ? { allowCredentials: await this.credentialsAt(party, owner) } : {}),
    });
    return { attempt: await challenges.begin(use, { ...party, challenge: options.challenge }), options };
  }

  /** Uses the challenge up and finds the passkey that answers it: one of the owner, or the one whose account the authenticator names. Throws if there is none. */
  async claim({ attempt, credential }: PasskeyAnswer, use: ChallengeBinding, owner?: PasskeyOwner): Promise<ClaimedPasskey> {
    const { stored, challenges } = this.deps;
    const challenge = await challenges.consume(attempt, use);
    if (!challenge) throw new ApiError(passkeyProblems.expired);
    const response = parsed<AuthenticationResponseJSON>(credential);
    const candidates = await stored.find(response.id, challenge.id);
    const passkey = candidates.find((one) =>
      owner ? one.userId === owner.userId && one.tenantId === owner.tenantId : one.userHandle === response.response.userHandle,
    );
    if (!passkey) throw new ApiError(passkeyProblems.refused);
    return { passkey, challenge, response };
  }

  /** Verifies the signature and the counter of a claimed passkey; throws unless both are right. */
  async verify({ passkey, challenge, response }: ClaimedPasskey, options: { readonly requireUserVerification: boolean }): Promise<void> {
    const { stored, log } = this.deps;
    const { verifyAuthenticationResponse } = await loadWebAuthn();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge.challenge,
      expectedOrigin: challenge.origin,
      expectedRPID: challenge.id,
      // The counter is compared where it is stored, so that of two simultaneous requests only one is right.
      credential: { id: passkey.credentialId, publicKey: Buffer.from(passkey.publicKey, 'base64url'), counter: 0 },
      ...options,
    }).catch(refused);
    if (!verified) throw new ApiError(passkeyProblems.refused);
    if (await stored.use(passkey, authenticationInfo.newCounter)) return;
    const { id, tenantId, userId } = passkey;
    log.warn({ passkey: id, tenantId, userId, counter: authenticationInfo.newCounter }, 'a passkey has not counted on and may have been copied');
    throw new ApiError(passkeyProblems.refused);
  }

  private async credentialsAt(party: RelyingParty, owner: PasskeyOwner) {
    const { stored } = this.deps;
    const here = await stored.at(owner, party.id);
    if (here.length > 0) return here.map(credentialOf);
    const [elsewhere] = await stored.list(owner);
    throw elsewhere ? new ApiError(passkeyProblems.openElsewhere, { address: elsewhere.host }) : new ApiError(passkeyProblems.refused);
  }
}

const knownTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

const credentialOf = ({ credentialId, transports }: StoredPasskey) => ({
  id: credentialId,
  transports: knownTransports.filter((name) => transports.split(',').includes(name)),
});

/** Turns every reason into the same answer, so that it tells a forger nothing; the log has the cause. */
function refused(cause: unknown): never {
  throw new ApiError(passkeyProblems.refused, {}, { cause });
}

/** Parses a credential as far as its id can be looked up; the library checks the rest. */
function parsed<Response extends RegistrationResponseJSON | AuthenticationResponseJSON>(credential: string): Response {
  const value = jsonOf(credential) as Partial<Response> | undefined;
  if (typeof value?.id !== 'string' || typeof value.response !== 'object' || value.response === null) throw new ApiError(passkeyProblems.refused);
  return value as Response;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) ?? undefined;
  } catch {
    return undefined;
  }
}
