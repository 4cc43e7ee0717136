import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Manifest } from '#shared/manifest';
import type { SignInWays } from '#shared/sign-in-ways';
import { Http } from '../http/http.ts';
import { useService } from '../services.tsx';
import { JsonStorage } from '../storage.ts';

const defaultTenant = '000000';
const rememberedTenant = 'tenant';
const rememberedAsking = 'tenant-asked';

/** Which tenant somebody signs in to, and how they may. */
export interface SignInTenant {
  readonly tenantId: string;
  /** True where nothing but the operator can say it. */
  readonly isAsked: boolean;
  /** Unknown until the server has said. */
  readonly ways: SignInWays | undefined;
  /** The tenant's own picture, once it is here. */
  readonly picture: string | undefined;
  readonly type: (tenantId: string) => void;
  /** What was typed is meant. */
  readonly settle: () => void;
  /** Remembers it for the next time. */
  readonly keep: () => void;
  /** Goes to a provider, and comes back to where the operator was going. */
  readonly leaveFor: (source: string, back: string, leave: (to: string) => void) => Promise<void>;
}

const waysModule = () => import('./asked-ways.ts');

/** Begins with what this browser was told last, so that nothing jumps. */
export function useSignInTenant({ storagePrefix, modes, apiBase = '' }: Manifest): SignInTenant {
  const http = useService(Http);
  const storage = useMemo(() => new JsonStorage(localStorage, storagePrefix), [storagePrefix]);
  const [tenantId, setTenantId] = useState(() => storage.read<string>(rememberedTenant) ?? defaultTenant);
  const [isAsked, setAsked] = useState(() => storage.read<boolean>(rememberedAsking) ?? modes.tenant);
  const [ways, setWays] = useState<SignInWays>();
  const [picture, setPicture] = useState<string>();
  // Begun while the form is drawn: what comes after it waits until somebody types.
  const [module] = useState(waysModule);
  const askedFor = useRef(tenantId);

  useEffect(() => {
    let isHere = true;
    module
      .then(({ askedWays }) => askedWays(http, askedFor.current))
      .then(({ tenantId: named, ways: given, backgroundUrl }) => {
        if (!isHere) return undefined;
        const asks = (given?.tenantMode ?? modes.tenant) && !named;
        storage.write(rememberedAsking, asks);
        setAsked(asks);
        setWays(given);
        if (named || !asks) setTenantId(named ?? defaultTenant);
        return backgroundUrl && module.then(({ loadedPicture }) => loadedPicture(backgroundUrl));
      })
      .then((shown) => isHere && setPicture(shown || undefined))
      .catch(() => undefined); // Account and password are left.
    return () => {
      isHere = false;
    };
  }, [module, http, storage, modes.tenant]);

  const settle = useCallback(() => {
    if (askedFor.current === tenantId || tenantId === '') return;
    askedFor.current = tenantId;
    void module
      .then(({ askedWaysOf }) => askedWaysOf(http, tenantId))
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
