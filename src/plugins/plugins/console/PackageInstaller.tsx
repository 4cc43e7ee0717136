import { Button } from '@arco-design/web-react';
import { IconUpload } from '@arco-design/web-react/icon';
import { useRef, useState } from 'react';
import { Http, Tag, Toasts, useMutation, useService, useTranslation } from '#kernel';
import type { LocalizedText } from '#shared/text';
import { packages, type UploadedPackage } from '../package-contract.ts';
import { Changes } from './Changes.tsx';
import { pluginMessages } from './messages.ts';
import { PackageDialog } from './PackageDialog.tsx';
import styles from './plugins.module.css';

interface InstallerProps {
  /** Packages that the deployment accepts. */
  readonly accepted: 'none' | 'signed' | 'any';
  readonly onInstalled: () => void;
}

/** Installs a plugin from a package. Top task: install one, 3 clicks (安装插件, the file, 安装); before the last one it shows what the code of the package reaches. */
export function PackageInstaller({ accepted, onInstalled }: InstallerProps) {
  const t = useTranslation();
  const http = useService(Http);
  const toasts = useService(Toasts);
  const input = useRef<HTMLInputElement>(null);
  const [isReading, setIsReading] = useState(false);
  const [uploaded, setUploaded] = useState<UploadedPackage>();
  const read = async (file: File | undefined) => {
    if (!file) return;
    setIsReading(true);
    const answer = await http.send(packages.upload, {}, { file }).catch(() => undefined);
    setIsReading(false);
    if (answer?.success) setUploaded(answer.data);
  };
  return (
    <>
      <input
        ref={input}
        className="visually-hidden"
        type="file"
        accept=".tgz"
        tabIndex={-1}
        aria-label={t(pluginMessages.install)}
        onChange={({ target }) => {
          void read(target.files?.[0]);
          target.value = '';
        }}
      />
      <Button
        icon={<IconUpload />}
        loading={isReading}
        onClick={() => (accepted === 'none' ? toasts.warning(t(pluginMessages.notAccepted)) : input.current?.click())}
      >
        {t(isReading ? pluginMessages.reading : pluginMessages.install)}
      </Button>
      {uploaded && (
        <InstallDialog
          uploaded={uploaded}
          onClose={() => setUploaded(undefined)}
          onInstalled={() => {
            setUploaded(undefined);
            onInstalled();
          }}
        />
      )}
    </>
  );
}

interface DialogProps {
  readonly uploaded: UploadedPackage;
  readonly onClose: () => void;
  readonly onInstalled: () => void;
}

/** Asks before a package is installed: its source, and what its code reaches. */
function InstallDialog({ uploaded, onClose, onInstalled }: DialogProps) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const mutation = useMutation(packages.install, { quiet: true });
  const { name, version, description, author, changes, signer, hasServer, hasConsole, isContained, rights, installedVersion: before } = uploaded;
  const title = before === undefined ? t(pluginMessages.installTitle, { name, version }) : t(pluginMessages.updateTitle, { name, version, before });
  const install = async () => {
    if (!(await mutation.mutate({ digest: uploaded.digest }))) return;
    toasts.success(t(pluginMessages.installed, { name, version }));
    onInstalled();
  };
  return (
    <PackageDialog
      title={title}
      maxWidth={520}
      mutation={mutation}
      confirm={t(before === undefined ? pluginMessages.confirmInstall : pluginMessages.confirmUpdate)}
      onConfirm={install}
      onClose={onClose}
    >
      {description && <p>{description}</p>}
      <p className={styles.source}>
        {author && <span>{t(pluginMessages.by, { author })}</span>}
        {signer ? <Tag tone="good">{t(pluginMessages.signedBy, { signer })}</Tag> : <Tag tone="warning">{t(pluginMessages.unsigned)}</Tag>}
      </p>
      {changes.length > 0 && <Changes title={t(pluginMessages.changes)} changes={changes} />}
      {isContained && hasServer ? (
        <>
          <p>{t(pluginMessages.contained)}</p>
          {hasConsole && <p>{t(pluginMessages.consoleRights)}</p>}
        </>
      ) : (
        <p>{t(hasServer ? pluginMessages.reach : pluginMessages.reachConsole)}</p>
      )}
      {hasServer && (
        <dl className={styles.rights}>
          <Right title={pluginMessages.ownTables} names={rights.tables} />
          {isContained ? <GrantedPorts rights={rights} /> : <FurtherRights rights={rights} />}
        </dl>
      )}
    </PackageDialog>
  );
}

/** Lists what the code of a package that is not contained reaches besides its own tables. */
function FurtherRights({ rights }: Pick<UploadedPackage, 'rights'>) {
  return (
    <>
      <Right title={pluginMessages.otherTables} names={rights.otherTables} />
      <Right title={pluginMessages.otherPlugins} names={rights.plugins} />
      <Right title={pluginMessages.nodeModules} names={rights.nodeModules} />
      <Right title={pluginMessages.services} names={rights.services} />
    </>
  );
}

/** Lists the ports that a contained plugin is granted by its installation. */
function GrantedPorts({ rights: { origins, inbox } }: Pick<UploadedPackage, 'rights'>) {
  const t = useTranslation();
  return (
    <>
      <Right title={pluginMessages.origins} names={origins} />
      {inbox && (
        <div>
          <dt>{t(pluginMessages.notifications)}</dt>
          <dd>{t(pluginMessages.toUsers)}</dd>
        </div>
      )}
    </>
  );
}

function Right({ title, names }: { readonly title: LocalizedText; readonly names: readonly string[] }) {
  const t = useTranslation();
  return (
    <div>
      <dt>{t(title)}</dt>
      <dd>{names.length === 0 ? t(pluginMessages.none) : names.map((name) => <code key={name}>{name}</code>)}</dd>
    </div>
  );
}
