import { Button } from '@arco-design/web-react';
import { useState } from 'react';
import { Dialogs, Tag, Toasts, useMutation, useService, useTranslation } from '#kernel';
import type { PluginRow } from '../contract.ts';
import { type InstalledPackage, packages } from '../package-contract.ts';
import { pluginMessages } from './messages.ts';
import { UninstallDialog } from './UninstallDialog.tsx';

interface ActionsProps {
  readonly row: PluginRow;
  readonly installed: InstalledPackage;
  readonly onChanged: () => void;
  readonly onRemoved: () => void;
}

/** Tells that a plugin runs from a package, and returns it to the version before or uninstalls it. */
export function PackageActions({ row, installed: { id, isContained, signer, previousVersion: version }, onChanged, onRemoved }: ActionsProps) {
  const t = useTranslation();
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const reverting = useMutation(packages.revert);
  const [isUninstallOpen, setIsUninstallOpen] = useState(false);
  const plugin = t(row.title);
  const cancel = t(pluginMessages.cancelInstall);
  const revert = async () => {
    const title = t(pluginMessages.revertQuestion, { plugin, version: version ?? '' });
    const confirm = t(pluginMessages.revert, { version: version ?? '' });
    if (!(await dialogs.confirm({ title, content: t(pluginMessages.revertContent), confirm, cancel })) || !(await reverting.mutate({ id }))) return;
    toasts.success(t(pluginMessages.reverted, { version: version ?? '' }));
    onChanged();
  };
  return (
    <>
      <Tag tone="neutral">{signer ? t(pluginMessages.fromSigned, { signer }) : t(isContained ? pluginMessages.fromContained : pluginMessages.fromPackage)}</Tag>
      {version && (
        <Button size="mini" loading={reverting.isPending} onClick={() => void revert()}>
          {t(pluginMessages.revert, { version })}
        </Button>
      )}
      <Button size="mini" disabled={reverting.isPending} onClick={() => setIsUninstallOpen(true)}>
        {t(pluginMessages.remove)}
      </Button>
      {isUninstallOpen && (
        <UninstallDialog
          id={id}
          plugin={plugin}
          onClose={() => setIsUninstallOpen(false)}
          onRemoved={() => {
            setIsUninstallOpen(false);
            toasts.success(t(pluginMessages.removed, { plugin }));
            onRemoved();
          }}
        />
      )}
    </>
  );
}
