import { Button } from '@arco-design/web-react';
import { Dialogs, Tag, useMutation, useService, useTranslation } from '#kernel';
import type { PluginRow } from '../contract.ts';
import { type InstalledPackage, packages } from '../package-contract.ts';
import { pluginMessages } from './messages.ts';
import { useReloadToast } from './use-reload-toast.ts';

interface ActionsProps {
  readonly row: PluginRow;
  readonly installed: InstalledPackage;
  readonly onChanged: () => void;
}

/** Tells that a plugin runs from a package, and returns it to the version before or uninstalls it. */
export function PackageActions({ row, installed: { id, signer, previousVersion: version }, onChanged }: ActionsProps) {
  const t = useTranslation();
  const dialogs = useService(Dialogs);
  const offerReload = useReloadToast();
  const reverting = useMutation(packages.revert);
  const removing = useMutation(packages.remove);
  const isPending = reverting.isPending || removing.isPending;
  const plugin = t(row.title);
  const cancel = t(pluginMessages.cancelInstall);
  const revert = async () => {
    const title = t(pluginMessages.revertQuestion, { plugin, version: version ?? '' });
    const confirm = t(pluginMessages.revert, { version: version ?? '' });
    if (!(await dialogs.confirm({ title, content: t(pluginMessages.revertContent), confirm, cancel })) || !(await reverting.mutate({ id }))) return;
    offerReload(t(pluginMessages.reverted, { version: version ?? '' }));
    onChanged();
  };
  const remove = async () => {
    const title = t(pluginMessages.removeQuestion, { plugin });
    const confirm = t(pluginMessages.remove);
    if (!(await dialogs.confirm({ title, content: t(pluginMessages.removeContent), confirm, cancel, danger: true })) || !(await removing.mutate({ id })))
      return;
    offerReload(t(pluginMessages.removed, { plugin }));
    onChanged();
  };
  return (
    <>
      <Tag tone="neutral">{signer ? t(pluginMessages.fromSigned, { signer }) : t(pluginMessages.fromPackage)}</Tag>
      {version && (
        <Button size="mini" loading={reverting.isPending} disabled={isPending} onClick={() => void revert()}>
          {t(pluginMessages.revert, { version })}
        </Button>
      )}
      <Button size="mini" loading={removing.isPending} disabled={isPending} onClick={() => void remove()}>
        {t(pluginMessages.remove)}
      </Button>
    </>
  );
}
