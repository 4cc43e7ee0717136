import { Toasts, useService, useTranslation } from '#kernel';
import { pluginMessages } from './messages.ts';

/** Returns the function that says what has changed and offers to reload the console, which then has the changed plugins. */
export function useReloadToast(): (text: string) => void {
  const toasts = useService(Toasts);
  const t = useTranslation();
  return (text) => toasts.success(text, { title: t(pluginMessages.reload), onClick: () => window.location.reload() });
}
