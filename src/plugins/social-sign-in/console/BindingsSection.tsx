import { useEffect, useRef } from 'react';
import {
  ActionButton,
  currentPath,
  Dialogs,
  Hint,
  Http,
  IdentityReturns,
  Item,
  ItemList,
  LoadedPart,
  loadingMessages,
  ProviderIcon,
  type ProviderReturn,
  Session,
  Toasts,
  useQuery,
  useService,
  useTranslation,
} from '#kernel';
import { signInOptions } from '#shared/sign-in-options';
import { type SocialBinding, socialBindings, sourceTitle } from '#shared/social';
import { bindingMessages } from './messages.ts';

/** Lists the third-party identities that can sign in to this account; linking one leads to the provider and back. */
export default function BindingsSection() {
  const t = useTranslation();
  const session = useService(Session);
  const signInMethodsQuery = useQuery(signInOptions, { tenantId: session.user?.tenant_id ?? '' }, { quiet: true });
  const bound = useQuery(socialBindings.list, {}, { quiet: true });
  const { bind, unbind } = useBindings(bound.refetch);
  return (
    <LoadedPart query={bound}>
      {(bindings) => {
        const { social = [], sso = false, providers = [] } = signInMethodsQuery.data ?? {};
        const redirecting = providers.filter(({ kind }) => kind === 'redirect').map(({ source }) => source);
        const offered = [...social, ...(sso ? ['sso'] : []), ...redirecting];
        const sources = [...new Set([...offered, ...bindings.map(({ source }) => source)])];
        if (sources.length === 0) return <Hint>{t(signInMethodsQuery.data ? bindingMessages.noProviders : loadingMessages.waiting)}</Hint>;
        return (
          <ItemList>
            {sources.map((source) => (
              <BindingRow
                key={source}
                source={source}
                name={providers.find((one) => one.source === source)?.name}
                binding={bindings.find((one) => one.source === source)}
                onBind={() => void bind(source)}
                onUnbind={(name) => void unbind(source, name)}
              />
            ))}
          </ItemList>
        );
      }}
    </LoadedPart>
  );
}

interface BindingRowProps {
  readonly source: string;
  /** Name of an identity provider of the tenant. */
  readonly name: string | undefined;
  readonly binding: SocialBinding | undefined;
  readonly onBind: () => void;
  /** Receives the shown name of the source. */
  readonly onUnbind: (name: string) => void;
}

function BindingRow({ source, name: providerName, binding, onBind, onUnbind }: BindingRowProps) {
  const t = useTranslation();
  const name = providerName ?? t(sourceTitle(source));
  const action = t(binding ? bindingMessages.unbind : bindingMessages.bind);
  const state = binding ? (binding.name ? t(bindingMessages.bound, { name: binding.name }) : t(bindingMessages.boundNameless)) : t(bindingMessages.notBound);
  return (
    <Item icon={<ProviderIcon source={source} />} title={name} note={state}>
      <ActionButton {...(binding ? { variant: 'danger' } : {})} aria-label={`${action} ${name}`} onClick={binding ? () => onUnbind(name) : onBind}>
        {action}
      </ActionButton>
    </Item>
  );
}

/** Links and unlinks identities; an identity the browser has just come back with is linked at once. */
function useBindings(reload: () => void) {
  const t = useTranslation();
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const returns = useService(IdentityReturns);

  const finish = async ({ source, code, state, iss, error }: ProviderReturn) => {
    const name = t(sourceTitle(source));
    const response = code && state ? await http.send(socialBindings.bind, { source, code, state, iss }, { quiet: true }).catch(() => undefined) : undefined;
    if (response?.success) {
      toasts.success(t(bindingMessages.hasBound, { source: name }));
      return reload();
    }
    const reason = error === 'access_denied' ? t(bindingMessages.bindCancelled) : (response?.msg ?? (error || t(loadingMessages.failed)));
    toasts.error(t(bindingMessages.bindFailed, { source: name, reason }));
  };
  const latestFinish = useRef(finish);
  useEffect(() => {
    const returned = returns.take('binding');
    if (returned) void latestFinish.current(returned);
  }, [returns]);

  const bind = async (source: string) => {
    const response = await http.send(socialBindings.start, { source, from: location.origin }).catch(() => undefined);
    if (response?.success) returns.leave(response.data.location, { purpose: 'binding', back: currentPath() });
  };
  const unbind = async (source: string, name: string) => {
    const isConfirmed = await dialogs.confirm({
      title: t(bindingMessages.unbind),
      content: t(bindingMessages.unbindQuestion, { source: name }),
      danger: true,
    });
    if (!isConfirmed) return;
    const response = await http.send(socialBindings.unbind, { source }).catch(() => undefined);
    if (response?.success) toasts.success(t(bindingMessages.hasUnbound, { source: name }));
    reload();
  };
  return { bind, unbind };
}
