import { useEffect } from 'react';
import { ActionButton, Hint, Icon, Item, ItemList, loadingMessages, NamedSelect, Toasts, useService, useStore, useTranslation } from '#kernel';
import type { Subscription } from '../own-contract.ts';
import styles from './email.module.css';
import { MailedViewsStore } from './mailed-views-store.ts';
import { emailMessages } from './messages.ts';
import { hourText, weekdays } from './schedule.ts';

const hours = Array.from({ length: 24 }, (_, hour) => ({ value: hour, label: hourText(hour) }));

/** Lists the saved views that the user gets by e-mail, with their weekday and time. */
export default function MailedViewsSection() {
  const t = useTranslation();
  const store = useService(MailedViewsStore);
  const { status, isOffered, views } = useStore(store, (state) => state);
  useEffect(() => void store.load(), [store]);
  if (status === 'failed')
    return (
      <p role="alert">
        {t(emailMessages.failed)} <ActionButton onClick={() => void store.load()}>{t(emailMessages.retry)}</ActionButton>
      </p>
    );
  if (views.length === 0) return <Hint>{t(status !== 'ready' ? loadingMessages.waiting : isOffered ? emailMessages.noViews : emailMessages.noMail)}</Hint>;
  return (
    <ItemList>
      {views.map((one) => (
        <MailedView key={one.id} subscription={one} />
      ))}
    </ItemList>
  );
}

function MailedView({ subscription }: { readonly subscription: Subscription }) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const store = useService(MailedViewsStore);
  const { list, view, title, weekday, hour } = subscription;
  const stop = async () => {
    if (await store.stop(subscription)) toasts.success(t(emailMessages.viewStopped, { view }));
  };
  return (
    <Item icon={<Icon name="mail" />} title={view} note={title}>
      <span className={styles.schedule}>
        <NamedSelect
          name={t(emailMessages.weekday, { view })}
          value={weekday}
          options={weekdays.map(([value, label]) => ({ value: value as number, label: t(label) }))}
          onChange={(next) => void store.mail({ list, view, weekday: next })}
        />
        <NamedSelect name={t(emailMessages.hour, { view })} value={hour} options={hours} onChange={(next) => void store.mail({ list, view, hour: next })} />
      </span>
      <ActionButton aria-label={t(emailMessages.stopView, { view })} onClick={() => void stop()}>
        {t(emailMessages.stop)}
      </ActionButton>
    </Item>
  );
}
