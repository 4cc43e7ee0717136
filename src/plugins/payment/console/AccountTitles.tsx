import { Button, Input } from '@arco-design/web-react';
import { useState } from 'react';
import { LoadedPart, SidePanel, Toasts, useMutation, useQuery, useService, useTranslation } from '#kernel';
import type { ReplyOf } from '#shared/contract';
import { traitsOf } from '#shared/fields';
import { accountTitles, LedgerPosting } from '../contract.ts';
import styles from './closing.module.css';
import { closingMessages } from './closing-messages.ts';

const accounts = traitsOf(LedgerPosting.fields.account)?.options ?? [];
type LedgerAccountTitles = ReplyOf<typeof accountTitles.detail>['titles'];

/** Sets the codes and names of the accounts for the journal. */
export default function AccountTitles({ onClose }: { readonly onClose: () => void }) {
  const t = useTranslation();
  const query = useQuery(accountTitles.detail, {}, { quiet: true });
  return (
    <SidePanel open width={520} title={t(closingMessages.accountTitles)} onClose={onClose}>
      <LoadedPart query={query}>{({ titles }) => <TitlesForm initial={titles} onSaved={onClose} />}</LoadedPart>
    </SidePanel>
  );
}

function TitlesForm({ initial, onSaved }: { readonly initial: LedgerAccountTitles; readonly onSaved: () => void }) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const [titles, setTitles] = useState(initial);
  const { isPending, mutate } = useMutation(accountTitles.save, {
    onSuccess: () => {
      toasts.success(t(closingMessages.saved));
      onSaved();
    },
  });
  const change = (account: number, part: Partial<LedgerAccountTitles[number]>) =>
    setTitles(titles.map((one) => (one.account === account ? { ...one, ...part } : one)));
  return (
    <form
      className={styles.titles}
      onSubmit={(event) => {
        event.preventDefault();
        void mutate({ titles });
      }}
    >
      <p>{t(closingMessages.accountTitlesHelp)}</p>
      {titles.map(({ account, code, name }) => {
        const title = t(accounts.find(([one]) => one === account)?.[1] ?? ['', '']);
        return (
          <fieldset key={account}>
            <legend>{title}</legend>
            <Input
              aria-label={`${title} ${t(closingMessages.titleCode)}`}
              placeholder={t(closingMessages.titleCode)}
              maxLength={32}
              value={code}
              onChange={(text) => change(account, { code: text.trim() })}
            />
            <Input
              aria-label={`${title} ${t(closingMessages.titleName)}`}
              placeholder={t(closingMessages.titleName)}
              maxLength={64}
              value={name}
              onChange={(text) => change(account, { name: text })}
            />
          </fieldset>
        );
      })}
      <Button
        type="primary"
        htmlType="submit"
        loading={isPending}
        disabled={titles.some(({ code, name }) => !/^[0-9A-Za-z.-]+$/.test(code) || name.trim() === '')}
      >
        {t(closingMessages.save)}
      </Button>
    </form>
  );
}
