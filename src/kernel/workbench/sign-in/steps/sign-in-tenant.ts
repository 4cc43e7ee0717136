import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Manifest } from '#shared/manifest';
import type { SignInWays } from '#shared/sign-in-ways';
import { useService } from '../../../base/react/services.tsx';
import { JsonStorage } from '../../../platform/browser/storage.ts';
import { Http } from '../../../platform/http/http.ts';

const defaultTenant = '000000';
const rememberedTenant = 'tenant';
const rememberedAsking = 'tenant-asked';

/** The tenant to sign in to, and its sign-in methods. */
export interface SignInTenant {
  readonly tenantId: string;
  /** True when the operator has to enter the tenant, because nothing else determines it. */
  readonly isAsked: boolean;
  /** `undefined` until the server has answered. */
  readonly ways: SignInWays | undefined;
  /** Picture of the tenant, once it is loaded. */
  readonly picture: string | undefined;
  readonly type: (tenantId: string) => void;
  /** Confirms the typed tenant and fetches its sign-in methods. */
  readonly settle: () => void;
  /** Remembers the tenant for the next sign-in. */
  readonly keep: () => void;
  /** Goes to a provider; the browser comes back to the address `back`. */
  readonly leaveFor: (source: string, back: string, leave: (to: string) => void) => Promise<void>;
}

const waysModule = () => import('./load-sign-in-methods.ts');

/** Starts with the values this browser has cached, so that the layout does not shift. */
export function useSignInTenant({ storagePrefix, modes, apiBase = '' }: Manifest): SignInTenant {
  const http = useService(Http);
  const storage = useMemo(() => new JsonStorage(localStorage, storagePrefix), [storagePrefix]);
  const [tenantId, setTenantId] = useState(() => storage.read<string>(rememberedTenant) ?? defaultTenant);
  const [isAsked, setIsAsked] = useState(() => storage.read<boolean>(rememberedAsking) ?? modes.tenant);
  const [ways, setWays] = useState<SignInWays>();
  const [picture, setPicture] = useState<string>();
  // The module is fetched while the form renders, because what follows it waits for input.
  const [module] = useState(waysModule);
  const askedFor = useRef(tenantId);

  useEffect(() => {
    let isHere = true;
    module
      .then(({ loadSignInMethods }) => loadSignInMethods(http, askedFor.current))
      .then(({ tenantId: named, ways: given, backgroundUrl }) => {
        if (!isHere) return undefined;
        const asks = (given?.tenantMode ?? modes.tenant) && !named;
        storage.write(rememberedAsking, asks);
        setIsAsked(asks);
        setWays(given);
        if (named || !asks) setTenantId(named ?? defaultTenant);
        return backgroundUrl && module.then(({ preloadPicture }) => preloadPicture(backgroundUrl));
      })
      .then((shown) => isHere && setPicture(shown || undefined))
      .catch(() => undefined); // After a failure account and password still work.
    return () => {
      isHere = false;
    };
  }, [module, http, storage, modes.tenant]);

  const settle = useCallback(() => {
    if (askedFor.current === tenantId || tenantId === '') return;
    askedFor.current = tenantId;
    void module
      .then(({ loadSignInMethodsOf }) => loadSignInMethodsOf(http, tenantId))
      .then((given) => {
        if (given && askedFor.current === tenantId) setWays(given);
      })
      .catch(() => undefined);
  }, [module, http, tenantId]);

  const leaveFor = async (source: string, back: string, leave: (to: string) => void) => {
    const { renderPath } = await import('./render-path.ts');
    leave(apiBase + renderPath(source, tenantId, back));
  };
  const keep = () => storage.write(rememberedTenant, tenantId);
  return { tenantId, isAsked, ways, picture, type: setTenantId, settle, keep, leaveFor };
}
