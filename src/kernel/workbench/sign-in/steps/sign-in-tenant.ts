import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Manifest } from '#shared/manifest';
import { useService } from '../../../base/react/services.tsx';
import { JsonStorage } from '../../../platform/browser/storage.ts';
import { Http } from '../../../platform/http/http.ts';
import { type OfferedMethod, SignInMethodList } from './sign-in-method.ts';

const defaultTenant = '000000';
const rememberedTenant = 'tenant';
const rememberedAsking = 'tenant-asked';

/** The tenant to sign in to, and its sign-in methods. */
export interface SignInTenant {
  readonly tenantId: string;
  /** True when the operator has to enter the tenant, because nothing else determines it. */
  readonly isAsked: boolean;
  /** `undefined` until the server has answered. */
  readonly offered: readonly OfferedMethod[] | undefined;
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

const methodsModule = () => import(/* webpackMode: "eager" */ './load-sign-in-methods.ts');

/** Starts with the values this browser has cached, so that the layout does not shift; `invitedTo` is the tenant of an invitation, which nothing overrides. */
export function useSignInTenant({ storagePrefix, modes, apiBase = '' }: Manifest, invitedTo?: string): SignInTenant {
  const http = useService(Http);
  const storage = useMemo(() => new JsonStorage(localStorage, storagePrefix), [storagePrefix]);
  const [tenantId, setTenantId] = useState(() => invitedTo ?? storage.read<string>(rememberedTenant) ?? defaultTenant);
  const [isAsked, setIsAsked] = useState(() => storage.read<boolean>(rememberedAsking) ?? modes.tenant);
  const list = useService(SignInMethodList);
  const [offered, setOffered] = useState<readonly OfferedMethod[]>();
  const [picture, setPicture] = useState<string>();
  // The module is fetched while the form renders, because what follows it waits for input.
  const [module] = useState(async () => ({ ...(await methodsModule()), methods: await list.load() }));
  const askedFor = useRef(tenantId);

  useEffect(() => {
    let isMounted = true;
    const asked = askedFor.current;
    module
      .then(async ({ loadSignInMethods, preloadPicture, offeredMethods, methods }) => {
        const { tenantId: named, ways, backgroundUrl } = await loadSignInMethods(http, asked);
        // The operator may have entered another tenant meanwhile.
        if (!isMounted || askedFor.current !== asked) return undefined;
        const asks = (ways?.tenantMode ?? modes.tenant) && !named;
        storage.write(rememberedAsking, asks);
        setIsAsked(asks);
        setOffered(ways && offeredMethods(methods, ways));
        if (!invitedTo && (named || !asks)) setTenantId(named ?? defaultTenant);
        return backgroundUrl && preloadPicture(backgroundUrl);
      })
      .then((shown) => isMounted && setPicture(shown || undefined))
      .catch(() => undefined); // After a failure account and password still work.
    return () => {
      isMounted = false;
    };
  }, [module, http, storage, modes.tenant, invitedTo]);

  const settle = useCallback(() => {
    if (askedFor.current === tenantId || tenantId === '') return;
    askedFor.current = tenantId;
    void module
      .then(async ({ loadSignInMethodsOf, offeredMethods, methods }) => {
        const given = await loadSignInMethodsOf(http, tenantId);
        if (given && askedFor.current === tenantId) setOffered(offeredMethods(methods, given));
      })
      .catch(() => undefined);
  }, [module, http, tenantId]);

  const leaveFor = async (source: string, back: string, leave: (to: string) => void) => {
    const { renderPath } = await import('./render-path.ts');
    leave(apiBase + renderPath(source, tenantId, back));
  };
  const keep = () => storage.write(rememberedTenant, tenantId);
  return { tenantId, isAsked, offered, picture, type: setTenantId, settle, keep, leaveFor };
}
