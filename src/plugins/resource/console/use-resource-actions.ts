import { Dialogs, Http, Toasts, useService, useTranslation } from '#kernel';
import type { FileReplyRow } from '#shared/files';
import { type ResourceRow, resource } from '../contract.ts';
import { words } from './messages.ts';

/** Actions on folders and files; each resolves true on success. */
export function useResourceActions(onChanged: () => void) {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const done = ({ success }: { readonly success: boolean }, told: string): boolean => {
    if (!success) return false;
    toasts.success(told);
    onChanged();
    return true;
  };

  return {
    addFolder: async (name: string, pid: string) => done(await http.send(resource.submitFolder, { name, pid }), t(words.saved)),
    rename: async (id: string, name: string) => done(await http.send(resource.rename, { id, name }), t(words.saved)),
    move: async (id: string, pid: string) => done(await http.send(resource.move, { ids: [id], pid }), t(words.moved)),
    keep: async ({ link, originalName }: FileReplyRow, pid: string) =>
      done(await http.send(resource.submitFile, { url: link, name: originalName.slice(0, 128), pid }), t(words.arrived, { name: originalName })),
    remove: async ({ id, name }: ResourceRow) => {
      const title = t(words.remove);
      const question = { title, content: t(words.removeQuestion, { name }), confirm: title, cancel: t(words.cancel), danger: true };
      return (await dialogs.confirm(question)) && done(await http.send(resource.removeOne, { id }), t(words.removed));
    },
  };
}
