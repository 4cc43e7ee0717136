import { copyText, Dialogs, Http, Toasts, useService, useTranslation } from '#kernel';
import { type AttachRow, type AttachUse, attach, attachMessages, keepAttachments, releaseAttachments, removeAttachments } from '../contract.ts';

type SelectedAttachment = Pick<AttachRow, 'id' | 'originalName'>;

/** Actions on attachments: copy the link, protect or release, and delete after showing the records that reference it. */
export function useAttachmentActions(onChanged: () => void) {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const t = useTranslation();

  const copy = async ({ link, isPublic }: Pick<AttachRow, 'link' | 'isPublic'>) => {
    if (await copyText(new URL(link, window.location.href).href)) toasts.success(t(isPublic ? attachMessages.copied : attachMessages.copiedTemporary));
    else toasts.warning(t(attachMessages.copyFailed));
  };

  const remove = async (selected: readonly SelectedAttachment[]) => {
    const [first] = selected;
    if (!first) return;
    const ids = selected.map(({ id }) => id);
    const uses = await http.send(attach.uses, { ids });
    if (!uses.success) return;
    const question =
      selected.length === 1 ? t(attachMessages.removeQuestion, { name: first.originalName }) : t(attachMessages.removeMany, { count: selected.length });
    const content = uses.data.length === 0 ? question : `${question} ${t(attachMessages.usedBy)}${listed(uses.data)}`;
    const title = t(attachMessages.remove);
    if (!(await dialogs.confirm({ title, content, confirm: title, cancel: t(attachMessages.cancel), danger: true }))) return;
    const answer = await http.send(removeAttachments, { ids, evenUsed: uses.data.length > 0 });
    if (!answer.success) return;
    toasts.success(t(attachMessages.removed));
    onChanged();
  };

  const keep = async ({ id, isKept }: Pick<AttachRow, 'id' | 'isKept'>) => {
    const { success } = await http.send(isKept ? releaseAttachments : keepAttachments, { ids: [id] });
    if (!success) return;
    toasts.success(t(isKept ? attachMessages.released : attachMessages.kept));
    onChanged();
  };

  return { copy, keep, remove };
}

const maxNamesShown = 6;

function listed(uses: readonly AttachUse[]): string {
  const names = [...new Set(uses.map(({ screen, record }) => `${screen} · ${record}`))];
  return names.slice(0, maxNamesShown).join(' / ') + (names.length > maxNamesShown ? ' …' : '');
}
