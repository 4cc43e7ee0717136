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
  readonly onUninstalled: () => void;
}

/** Shows that a plugin runs from a package, with buttons to return it to the previous version and to uninstall it. */
export function PackageActions({ row, installed: { id, isContained, signer, previousVersion }, onChanged, onUninstalled }: ActionsProps) {
  const t = useTranslation();
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const reverting = useMutation(packages.revert);
  const [isUninstallOpen, setIsUninstallOpen] = useState(false);
  const plugin = t(row.title);
  const revert = async () => {
    const version = previousVersion ?? '';
    const title = t(pluginMessages.revertQuestion, { plugin, version });
    const confirm = t(pluginMessages.revert, { version });
    if (!(await dialogs.confirm({ title, content: t(pluginMessages.revertContent), confirm })) || !(await reverting.mutate({ id }))) return;
    toasts.success(t(pluginMessages.reverted, { version }));
    onChanged();
  };
  return (
    <>
      <Tag tone="neutral">{signer ? t(pluginMessages.fromSigned, { signer }) : t(isContained ? pluginMessages.fromContained : pluginMessages.fromPackage)}</Tag>
      {previousVersion && (
        <Button size="mini" loading={reverting.isPending} onClick={() => void revert()}>
          {t(pluginMessages.revert, { version: previousVersion })}
        </Button>
      )}
      <Button size="mini" disabled={reverting.isPending} onClick={() => setIsUninstallOpen(true)}>
        {t(pluginMessages.uninstall)}
      </Button>
      {isUninstallOpen && (
        <UninstallDialog
          id={id}
          plugin={plugin}
          onClose={() => setIsUninstallOpen(false)}
          onUninstalled={() => {
            setIsUninstallOpen(false);
            toasts.success(t(pluginMessages.uninstalled, { plugin }));
            onUninstalled();
          }}
        />
      )}
    </>
  );
}
