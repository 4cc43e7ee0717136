import { Button, Input, Pagination, Radio } from '@arco-design/web-react';
import { IconFolderAdd } from '@arco-design/web-react/icon';
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import {
  Can,
  Dialogs,
  FilePreview,
  Http,
  Toasts,
  UploadArea,
  useAddressPage,
  useAddressParameter,
  useAddressText,
  useExistingPage,
  useQuery,
  useService,
  useTranslation,
  useTransportErrorToast,
} from '#kernel';
import type { FileReplyRow } from '#shared/files';
import { type ResourceRow, resource, resourceTypes } from '../contract.ts';
import { FolderPath, type OpenFolder } from './FolderPath.tsx';
import { MovePanel } from './MovePanel.tsx';
import { resourceMessages } from './messages.ts';
import { NamePanel } from './NamePanel.tsx';
import { ResourceGrid } from './ResourceGrid.tsx';
import styles from './resource.module.css';

const pageSize = 10;

type FolderContentsProps = Omit<ComponentProps<typeof ResourceGrid>, 'rows'> & {
  readonly pid: string;
  readonly owner: ResourceOwner;
  readonly name: string;
  /** A new value reloads the list. */
  readonly refetchKey: number;
};

/** Shows the content of a folder page by page; a search by name covers all folders below it. */
export function FolderContents({ pid, owner, name, refetchKey, ...gridProps }: FolderContentsProps) {
  const t = useTranslation();
  const addressPage = useAddressPage();
  const [current, setCurrent] = addressPage;
  const query = { current, size: pageSize, ...(name ? { name } : { pid }) };
  const {
    data: page,
    error,
    isFetching,
    refetch,
  } = useQuery(owner === 'mine' ? resource.mine : resource.list, query, {
    refetchKey,
    keepPreviousData: true,
  });
  const rows = (page?.records ?? []) as readonly ResourceRow[];
  useExistingPage(page, addressPage);
  return (
    <section className={styles.contents} aria-label={t(resourceMessages[owner])} aria-busy={isFetching}>
      {error && (
        <p className={styles.none} role="alert">
          {t(resourceMessages.loadFailed)} <Button onClick={refetch}>{t(resourceMessages.retry)}</Button>
        </p>
      )}
      {page?.total === 0 && !isFetching && !error && <p className={styles.none}>{t(name ? resourceMessages.noResults : resourceMessages.empty)}</p>}
      <ResourceGrid rows={rows} {...gridProps} />
      {page && page.total > pageSize && <Pagination current={current} pageSize={pageSize} total={page.total} onChange={setCurrent} />}
    </section>
  );
}

/** Formats the path of the open folder for the address: `12-合同/15-2026`. */
const formatPath = (path: readonly OpenFolder[]) => path.map(({ id, name }) => `${id}-${name.replaceAll('/', ' ')}`).join('/');

const parsePath = (text: string): OpenFolder[] => {
  const parts = text.split('/').map((part) => /^(\d{1,19})-(.*)$/.exec(part));
  return parts.every((part) => part !== null) ? parts.map(([, id = '', name = '']) => ({ id, name })) : [];
};

/** Content of the side panel. */
type ResourcePanelState = { readonly kind: 'folder' } | { readonly kind: 'name' | 'move'; readonly row: ResourceRow };

/** Shows the folders and files of departments. Files are uploaded to the folder that is open when they are added. */
export default function ResourcePage() {
  const t = useTranslation();
  const [folder, setFolder] = useAddressText('folder', { resets: ['page', 'name'] });
  const path = parsePath(folder);
  const [owner, setOwner] = useAddressParameter('owner', ['department', 'mine'], { resets: ['page'] });
  const [layout, setLayout] = useAddressParameter('show', ['grid', 'rows']);
  const [name, setName] = useAddressText('name', { resets: ['page'] });
  const [refetchKey, setRefetchKey] = useState(0);
  const [panel, setPanel] = useState<ResourcePanelState>();
  const [previewed, setPreviewed] = useState<ResourceRow>();
  const actions = useResourceActions(() => setRefetchKey((before) => before + 1));
  const pid = path.at(-1)?.id ?? '0';
  const showError = useTransportErrorToast();
  const move = (id: string, folderId: string) => void actions.move(id, folderId).catch(showError);
  const closePanel = () => setPanel(undefined);
  const open = (row: ResourceRow) => {
    if (row.type === resourceTypes.file) return setPreviewed(row);
    setFolder(formatPath([...path, { id: row.id, name: row.name }]));
  };
  return (
    <>
      <UploadArea code="depart_resource_add" destination={pid} onUploaded={(file, folderId) => void actions.addFile(file, folderId).catch(showError)}>
        {(uploadButton) => (
          <>
            <Toolbar
              uploadButton={uploadButton}
              {...{ owner, layout, name }}
              onOwner={setOwner}
              onLayout={setLayout}
              onSearch={setName}
              onAddFolder={() => setPanel({ kind: 'folder' })}
            />
            <div className={styles.pathBar}>
              <FolderPath path={path} onNavigate={(to) => setFolder(formatPath(to))} onDrop={move} />
              {owner === 'department' && name === '' && <FolderCounts pid={pid} refetchKey={refetchKey} />}
            </div>
            <FolderContents
              key={`${pid} ${owner} ${name}`}
              {...{ pid, owner, name, layout, refetchKey }}
              onOpen={open}
              onRename={(row) => setPanel({ kind: 'name', row })}
              onMove={(row) => setPanel({ kind: 'move', row })}
              onRemove={(row) => void actions.remove(row).catch(showError)}
              onDrop={move}
            />
          </>
        )}
      </UploadArea>
      {panel?.kind === 'folder' && (
        <NamePanel
          title={t(resourceMessages.addFolder)}
          label={t(resourceMessages.folderName)}
          initial=""
          onSave={(name) => actions.addFolder(name, pid)}
          onClose={closePanel}
        />
      )}
      {panel?.kind === 'name' && (
        <NamePanel
          title={t(resourceMessages.renameOf, { name: panel.row.name })}
          label={t(resourceMessages.name)}
          initial={panel.row.name}
          onSave={(name) => actions.rename(panel.row, name)}
          onClose={closePanel}
        />
      )}
      {panel?.kind === 'move' && <MovePanel row={panel.row} onMove={(to) => actions.move(panel.row.id, to)} onClose={closePanel} />}
      {previewed?.url && (
        <FilePreview file={{ type: previewed.mime ?? '', link: previewed.url, originalName: previewed.name }} onClose={() => setPreviewed(undefined)} />
      )}
    </>
  );
}

/** Shows the number of folders and files in a folder; a new `refetchKey` reloads it. */
function FolderCounts({ pid, refetchKey }: { readonly pid: string; readonly refetchKey: number }) {
  const t = useTranslation();
  const { data } = useQuery(resource.counts, { pid }, { refetchKey });
  return <p>{data && t(resourceMessages.counts, { folders: data.folders, files: data.files })}</p>;
}

/** Returns the actions on folders and files; each resolves true on success. */
function useResourceActions(onChanged: () => void) {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const report = ({ success }: { readonly success: boolean }, message: string): boolean => {
    if (!success) return false;
    toasts.success(message);
    onChanged();
    return true;
  };

  return {
    addFolder: async (name: string, pid: string) => report(await http.send(resource.submitFolder, { name, pid }), t(resourceMessages.saved)),
    rename: async ({ id, version }: ResourceRow, name: string) => report(await http.send(resource.rename, { id, version, name }), t(resourceMessages.saved)),
    move: async (id: string, pid: string) => report(await http.send(resource.move, { ids: [id], pid }), t(resourceMessages.moved)),
    addFile: async ({ link, originalName }: FileReplyRow, pid: string) =>
      report(await http.send(resource.submitFile, { url: link, name: originalName.slice(0, 128), pid }), t(resourceMessages.uploaded, { name: originalName })),
    remove: async ({ id, name }: ResourceRow) => {
      const title = t(resourceMessages.remove);
      const question = { title, content: t(resourceMessages.removeQuestion, { name }), confirm: title, cancel: t(resourceMessages.cancel), danger: true };
      return (await dialogs.confirm(question)) && report(await http.send(resource.removeOne, { id }), t(resourceMessages.removed));
    },
  };
}

type ResourceLayout = 'grid' | 'rows';
type ResourceOwner = 'department' | 'mine';

interface ToolbarProps {
  readonly uploadButton: ReactNode;
  readonly owner: ResourceOwner;
  readonly layout: ResourceLayout;
  readonly name: string;
  readonly onOwner: (owner: ResourceOwner) => void;
  readonly onLayout: (layout: ResourceLayout) => void;
  readonly onSearch: (name: string) => void;
  readonly onAddFolder: () => void;
}

/** Toolbar with filters, view and actions. */
function Toolbar({ uploadButton, owner, layout, name, onOwner, onLayout, onSearch, onAddFolder }: ToolbarProps) {
  const t = useTranslation();
  const [text, setText] = useState(name);
  useEffect(() => setText(name), [name]);
  return (
    <div className={styles.bar}>
      {uploadButton}
      <Can code="depart_resource_add">
        <Button icon={<IconFolderAdd />} onClick={onAddFolder}>
          {t(resourceMessages.addFolder)}
        </Button>
      </Can>
      <Radio.Group type="button" aria-label={t(resourceMessages.owner)} value={owner} onChange={onOwner}>
        <Radio value="department">{t(resourceMessages.department)}</Radio>
        <Radio value="mine">{t(resourceMessages.mine)}</Radio>
      </Radio.Group>
      <Radio.Group type="button" aria-label={t(resourceMessages.layout)} value={layout} onChange={onLayout}>
        <Radio value="grid">{t(resourceMessages.grid)}</Radio>
        <Radio value="rows">{t(resourceMessages.rows)}</Radio>
      </Radio.Group>
      <Input.Search
        allowClear
        value={text}
        onChange={setText}
        className={styles.search ?? ''}
        placeholder={t(resourceMessages.search)}
        aria-label={t(resourceMessages.search)}
        onSearch={(searched) => onSearch(searched.trim())}
        onClear={() => onSearch('')}
      />
    </div>
  );
}
