import { Dialogs, Http, Toasts, useService, useWords } from '#kernel';
import type { FileReplyRow } from '#shared/files';
import { type ResourceRow, resource } from '../contract.ts';
import { words } from './words.ts';

/** Actions on folders and files; each resolves true on success. */
export function useResourceActions(onChanged: () => void) {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const say = useWords();
  const done = ({ success }: { readonly success: boolean }, told: string): boolean => {
    if (!success) return false;
    toasts.success(told);
    onChanged();
    return true;
  };

  return {
    addFolder: async (name: string, pid: string) => done(await http.send(resource.submitFolder, { name, pid }), say(words.saved)),
    rename: async (id: string, name: string) => done(await http.send(resource.rename, { id, name }), say(words.saved)),
    move: async (id: string, pid: string) => done(await http.send(resource.move, { ids: [id], pid }), say(words.moved)),
    keep: async ({ link, originalName }: FileReplyRow, pid: string) =>
      done(await http.send(resource.submitFile, { url: link, name: originalName.slice(0, 128), pid }), say(words.arrived, { name: originalName })),
    remove: async ({ id, name }: ResourceRow) => {
      const title = say(words.remove);
      const question = { title, content: say(words.removeQuestion, { name }), confirm: title, cancel: say(words.cancel), danger: true };
      return (await dialogs.confirm(question)) && done(await http.send(resource.removeOne, { id }), say(words.removed));
    },
  };
}
