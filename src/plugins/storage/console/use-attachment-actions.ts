import { copyText, Dialogs, Http, Toasts, useService, useWords } from '#kernel';
import { type AttachRow, type AttachUse, attach, attachWords, keepAttachments, releaseAttachments, removeAttachments } from '../contract.ts';

type SelectedAttachment = Pick<AttachRow, 'id' | 'originalName'>;

/** Actions on attachments: copy the link, protect or release, and delete after showing the records that reference it. */
export function useAttachmentActions(onChanged: () => void) {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const say = useWords();

  const copy = async ({ link, isPublic }: Pick<AttachRow, 'link' | 'isPublic'>) => {
    if (await copyText(new URL(link, window.location.href).href)) toasts.success(say(isPublic ? attachWords.copied : attachWords.copiedForNow));
    else toasts.warning(say(attachWords.copyFailed));
  };

  const remove = async (chosen: readonly SelectedAttachment[]) => {
    const [first] = chosen;
    if (!first) return;
    const ids = chosen.map(({ id }) => id);
    const uses = await http.send(attach.uses, { ids });
    if (!uses.success) return;
    const question =
      chosen.length === 1 ? say(attachWords.removeQuestion, { name: first.originalName }) : say(attachWords.removeMany, { count: chosen.length });
    const content = uses.data.length === 0 ? question : `${question} ${say(attachWords.usedBy)}${listed(uses.data)}`;
    const title = say(attachWords.remove);
    if (!(await dialogs.confirm({ title, content, confirm: title, cancel: say(attachWords.cancel), danger: true }))) return;
    const answer = await http.send(removeAttachments, { ids, evenUsed: uses.data.length > 0 });
    if (!answer.success) return;
    toasts.success(say(attachWords.removed));
    onChanged();
  };

  const keep = async ({ id, isKept }: Pick<AttachRow, 'id' | 'isKept'>) => {
    const { success } = await http.send(isKept ? releaseAttachments : keepAttachments, { ids: [id] });
    if (!success) return;
    toasts.success(say(isKept ? attachWords.released : attachWords.kept));
    onChanged();
  };

  return { copy, keep, remove };
}

const mostNamed = 6;

function listed(uses: readonly AttachUse[]): string {
  const names = [...new Set(uses.map(({ screen, record }) => `${screen} · ${record}`))];
  return names.slice(0, mostNamed).join(' / ') + (names.length > mostNamed ? ' …' : '');
}
