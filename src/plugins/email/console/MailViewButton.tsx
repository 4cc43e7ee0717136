import { Button } from '@arco-design/web-react';
import { IconEmail } from '@arco-design/web-react/icon';
import { useEffect } from 'react';
import { Toasts, useService, useStore, useTranslation, type ViewActionProps } from '#kernel';
import { MailedViewsStore } from './mailed-views-store.ts';
import { emailMessages } from './messages.ts';
import { scheduleText } from './schedule.ts';

/** Turns the weekly e-mail of a saved view on or off; weekday and time are changed on the account page. */
export default function MailViewButton({ crud, view }: ViewActionProps) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const store = useService(MailedViewsStore);
  const { isOffered, views } = useStore(store, (state) => state);
  useEffect(() => void store.load(), [store]);
  if (!isOffered) return null;
  const list = crud.list.path;
  const isMailed = views.some((one) => one.list === list && one.view === view);
  const toggle = async () => {
    if (isMailed) {
      if (await store.stop({ list, view })) toasts.success(t(emailMessages.viewStopped, { view }));
      return;
    }
    const when = await store.mail({ list, view });
    if (when) toasts.success(t(emailMessages.viewMailed, { view, address: when.address, ...scheduleText(when, t) }));
  };
  const title = t(emailMessages.mailView, { view });
  return (
    <Button
      type="text"
      size="small"
      icon={<IconEmail />}
      aria-label={title}
      title={title}
      aria-pressed={isMailed}
      className={isMailed ? '' : 'crud-views__tool_off'}
      onClick={() => void toggle()}
    />
  );
}
