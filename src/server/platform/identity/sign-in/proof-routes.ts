import { passkeys as passkeyCalls } from '#shared/passkeys';
import { freshProof } from '#shared/second-factor';
import type { Database } from '../../../data/database/database.ts';
import { type Route, route } from '../../http/route.ts';
import { invalidatePrincipals } from '../../principal/principal-cache.ts';
import type { Passkeys } from '../passkeys/passkeys.ts';
import type { StoredPasskeys } from '../passkeys/stored-passkeys.ts';
import type { FreshProofs } from '../sessions/fresh-proofs.ts';
import { assertRequiredSecondFactor } from '../sessions/second-factors.ts';
import type { PasskeySignIn } from './passkey-sign-in.ts';

/** Dependencies of `proofRoutes`. */
export interface ProofRoutesDeps {
  readonly db: Database;
  readonly passkeys: Passkeys;
  readonly storedPasskeys: StoredPasskeys;
  readonly passkeySignIn: PasskeySignIn;
  readonly freshProofs: FreshProofs;
}

/** Serves the calls for passkeys, and those by which a signed-in user proves their identity again. */
export function proofRoutes({ db, passkeys, storedPasskeys, passkeySignIn, freshProofs }: ProofRoutesDeps): Route[] {
  const duringSetup = { manualTransactions: true, allowMissingSecondFactor: true } as const;
  const beforeSignIn = { manualTransactions: true, limit: 'token' } as const;
  return [
    route(passkeyCalls.list, ({ principal, origin }) => passkeys.list(principal, origin), duringSetup),
    route(passkeyCalls.beginRegistration, ({ principal, origin }) => passkeys.beginRegistration(principal, origin), duringSetup),
    route(
      passkeyCalls.register,
      async ({ input, principal, origin }) => {
        const added = await passkeys.register(input, principal, origin);
        await db.write(principal, () => invalidatePrincipals(db, { userId: principal.userId }));
        return added;
      },
      duringSetup,
    ),
    route(passkeyCalls.rename, ({ input, principal }) => storedPasskeys.rename(principal, input.id, input.name.trim())),
    route(passkeyCalls.remove, async ({ input, principal }) => {
      await storedPasskeys.remove(principal, input.id);
      await assertRequiredSecondFactor(db, principal);
    }),
    route(passkeyCalls.beginSignIn, ({ origin }) => passkeySignIn.begin(origin), beforeSignIn),
    route(passkeyCalls.beginSecondFactor, ({ input, origin }) => passkeySignIn.beginSecondFactor(input.mfa_token, origin), beforeSignIn),
    route(freshProof.methods, ({ principal }) => freshProofs.methods(principal), duringSetup),
    route(freshProof.begin, ({ principal, origin }) => freshProofs.begin(principal, origin), duringSetup),
    route(freshProof.confirm, ({ input, principal }) => freshProofs.confirm(input, principal), duringSetup),
  ];
}
