import { useEffect, useRef } from 'react';
import { signInWays } from '#shared/sign-in-ways';
import { type SocialBinding, socialBindings, sourceTitle } from '#shared/social';
import { useService } from '../base/react/services.tsx';
import { Dialogs } from '../platform/feedback/dialogs.ts';
import { Toasts } from '../platform/feedback/toasts.ts';
import { Http } from '../platform/http/http.ts';
import { useQuery } from '../platform/http/use-query.ts';
import { useTranslation } from '../platform/i18n/use-translation.ts';
import { IdentityReturns, type ProviderReturn } from '../platform/session/identity-returns.ts';
import { Session } from '../platform/session/session.ts';
import { SourceIcon } from '../ui/primitives/SourceIcon.tsx';
import styles from './AccountPage.module.css';
import { LoadedPart } from './LoadedPart.tsx';

/** Lists the third-party identities that can sign in to this account; linking one leads to the provider and back. */
export function BindingsSection() {
  const t = useTranslation();
  const session = useService(Session);
  const ways = useQuery(signInWays, { tenantId: session.user?.tenant_id ?? '' });
  const bound = useQuery(socialBindings.list, {});
  const { bind, unbind } = useBindings(bound.reload);
  return (
    <LoadedPart asked={bound}>
      {(bindings) => {
        const offered = [...(ways.reply?.social ?? []), ...(ways.reply?.sso ? ['sso'] : [])];
        const sources = [...new Set([...offered, ...bindings.map(({ source }) => source)])];
        if (sources.length === 0) return <p className={styles.hint}>{t(ways.reply ? 'account.noProviders' : 'account.waiting')}</p>;
        return (
          <ul className={styles.rows}>
            {sources.map((source) => (
              <BindingRow
                key={source}
                source={source}
                binding={bindings.find((one) => one.source === source)}
                onBind={() => void bind(source)}
                onUnbind={() => void unbind(source)}
              />
            ))}
          </ul>
        );
      }}
    </LoadedPart>
  );
}

interface BindingRowProps {
  readonly source: string;
  readonly binding: SocialBinding | undefined;
  readonly onBind: () => void;
  readonly onUnbind: () => void;
}

function BindingRow({ source, binding, onBind, onUnbind }: BindingRowProps) {
  const t = useTranslation();
  const name = useTranslation()(sourceTitle(source));
  const state = binding ? (binding.name ? t('account.bound', { name: binding.name }) : t('account.boundNameless')) : t('account.notBound');
  return (
    <li className={styles.row}>
      <span className={styles.sign}>
        <SourceIcon source={source} />
      </span>
      <span className={styles.what}>
        <strong>{name}</strong>
        <span>{state}</span>
      </span>
      <button
        type="button"
        className={styles.action}
        data-danger={binding !== undefined}
        aria-label={`${t(binding ? 'account.unbind' : 'account.bind')} ${name}`}
        onClick={binding ? onUnbind : onBind}
      >
        {t(binding ? 'account.unbind' : 'account.bind')}
      </button>
    </li>
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
    const answer = code && state ? await http.send(socialBindings.bind, { source, code, state, iss }, { quiet: true }).catch(() => undefined) : undefined;
    if (answer?.success) {
      toasts.success(t('account.hasBound', { source: name }));
      return reload();
    }
    const reason = error === 'access_denied' ? t('account.bindCancelled') : (answer?.msg ?? (error || t('account.loadFailed')));
    toasts.error(t('account.bindFailed', { source: name, reason }));
  };
  const begun = useRef(finish);
  useEffect(() => {
    const returned = returns.take('binding');
    if (returned) void begun.current(returned);
  }, [returns]);

  const bind = async (source: string) => {
    const answer = await http.send(socialBindings.start, { source, from: location.origin }).catch(() => undefined);
    if (answer?.success) returns.leave(answer.data.location, { purpose: 'binding', back: location.pathname });
  };
  const unbind = async (source: string) => {
    const name = t(sourceTitle(source));
    const isSure = await dialogs.confirm({
      title: t('account.unbind'),
      content: t('account.unbindQuestion', { source: name }),
      confirm: t('account.unbind'),
      cancel: t('account.cancel'),
      danger: true,
    });
    if (!isSure) return;
    const answer = await http.send(socialBindings.unbind, { source }).catch(() => undefined);
    if (answer?.success) toasts.success(t('account.hasUnbound', { source: name }));
    reload();
  };
  return { bind, unbind };
}
