import { Button, Input, Pagination, Radio } from '@arco-design/web-react';
import { IconFolderAdd } from '@arco-design/web-react/icon';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { Can, Dialogs, FilePreview, Http, Toasts, UploadArea, useQuery, useService, useTranslation } from '#kernel';
import type { FileReplyRow } from '#shared/files';
import { kinds, type ResourceRow, resource } from '../contract.ts';
import { MovePanel } from './MovePanel.tsx';
import { resourceMessages } from './messages.ts';
import { NamePanel } from './NamePanel.tsx';
import { type Folder, Path } from './Path.tsx';
import { ResourceGrid } from './ResourceGrid.tsx';
import styles from './resource.module.css';

const pageSize = 10;

type ContentsProps = Omit<ComponentProps<typeof ResourceGrid>, 'rows'> & {
  readonly pid: string;
  readonly whose: ResourceOwner;
  readonly name: string;
  /** A new value reloads the list. */
  readonly round: number;
};

/** Shows the content of a folder page by page; a search by name covers all folders below it. */
export function Contents({ pid, whose, name, round, ...shelf }: ContentsProps) {
  const t = useTranslation();
  const [current, setCurrent] = useState(1);
  const query = { current, size: pageSize, ...(name ? { name } : { pid }) };
  const {
    data: page,
    error,
    isFetching,
    refetch,
  } = useQuery(whose === 'mine' ? resource.mine : resource.list, query, {
    refetchKey: round,
    keepPreviousData: true,
  });
  const rows = (page?.records ?? []) as readonly ResourceRow[];
  return (
    <section className={styles.contents} aria-label={t(resourceMessages.department)} aria-busy={isFetching}>
      {error && (
        <p className={styles.none} role="alert">
          {t(resourceMessages.unread)} <Button onClick={refetch}>{t(resourceMessages.retry)}</Button>
        </p>
      )}
      {page && !isFetching && !error && rows.length === 0 && <p className={styles.none}>{t(name ? resourceMessages.noneFound : resourceMessages.empty)}</p>}
      <ResourceGrid rows={rows} {...shelf} />
      {page && page.total > pageSize && <Pagination current={current} pageSize={pageSize} total={page.total} onChange={setCurrent} />}
    </section>
  );
}

/** State of the side panel. */
type ResourcePanelState = { readonly what: 'folder' } | { readonly what: 'name' | 'move'; readonly of: ResourceRow };

/** Shows the folders and files of departments. Uploads go to the open folder. */
export default function ResourcePage() {
  const t = useTranslation();
  const [path, setPath] = useState<readonly Folder[]>([]);
  const [whose, setWhose] = useState<ResourceOwner>('department');
  const [look, setLook] = useState<ResourceLayout>('grid');
  const [name, setName] = useState('');
  const [round, setRound] = useState(0);
  const [panel, setPanel] = useState<ResourcePanelState>();
  const [shown, setShown] = useState<ResourceRow>();
  const acts = useResourceActions(() => setRound((before) => before + 1));
  const pid = path.at(-1)?.id ?? '0';
  const closed = () => setPanel(undefined);
  const open = (row: ResourceRow) => {
    if (row.type === kinds.file) return setShown(row);
    setPath([...path, { id: row.id, name: row.name }]);
    setName('');
  };
  return (
    <>
      <UploadArea code="depart_resource_add" onArrived={(file) => void acts.keep(file, pid)}>
        {(pick) => (
          <>
            <Bar
              pick={pick}
              {...{ whose, layout: look, name }}
              onWhose={setWhose}
              onLook={setLook}
              onFind={setName}
              onAddFolder={() => setPanel({ what: 'folder' })}
            />
            <div className={styles.place}>
              <Path path={path} onWalk={setPath} onDrop={(id, to) => void acts.move(id, to)} />
              {whose === 'department' && name === '' && <Numbers pid={pid} round={round} />}
            </div>
            <Contents
              key={`${pid} ${whose} ${name}`}
              {...{ pid, whose, name, look, round }}
              onOpen={open}
              onRename={(of) => setPanel({ what: 'name', of })}
              onMove={(of) => setPanel({ what: 'move', of })}
              onRemove={(of) => void acts.remove(of)}
              onDrop={(id, to) => void acts.move(id, to)}
            />
          </>
        )}
      </UploadArea>
      {panel?.what === 'folder' && (
        <NamePanel
          title={t(resourceMessages.addFolder)}
          label={t(resourceMessages.folderName)}
          initial=""
          onSave={(typed) => acts.addFolder(typed, pid)}
          onClose={closed}
        />
      )}
      {panel?.what === 'name' && (
        <NamePanel
          title={t(resourceMessages.renameOf, { name: panel.of.name })}
          label={t(resourceMessages.name)}
          initial={panel.of.name}
          onSave={(typed) => acts.rename(panel.of.id, typed)}
          onClose={closed}
        />
      )}
      {panel?.what === 'move' && <MovePanel of={panel.of} onMove={(to) => void acts.move(panel.of.id, to)} onClose={closed} />}
      {shown?.url && <FilePreview of={{ type: shown.mime ?? '', link: shown.url, originalName: shown.name }} onClose={() => setShown(undefined)} />}
    </>
  );
}

/** Shows the number of folders and files in a folder; a new `round` reloads it. */
function Numbers({ pid, round }: { readonly pid: string; readonly round: number }) {
  const t = useTranslation();
  const { data } = useQuery(resource.numbers, { pid }, { refetchKey: round });
  return <p>{data && t(resourceMessages.counted, { folders: data.folders, files: data.files })}</p>;
}

/** Actions on folders and files; each resolves true on success. */
function useResourceActions(onChanged: () => void) {
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const t = useTranslation();
  const done = ({ success }: { readonly success: boolean }, message: string): boolean => {
    if (!success) return false;
    toasts.success(message);
    onChanged();
    return true;
  };

  return {
    addFolder: async (name: string, pid: string) => done(await http.send(resource.submitFolder, { name, pid }), t(resourceMessages.saved)),
    rename: async (id: string, name: string) => done(await http.send(resource.rename, { id, name }), t(resourceMessages.saved)),
    move: async (id: string, pid: string) => done(await http.send(resource.move, { ids: [id], pid }), t(resourceMessages.moved)),
    keep: async ({ link, originalName }: FileReplyRow, pid: string) =>
      done(await http.send(resource.submitFile, { url: link, name: originalName.slice(0, 128), pid }), t(resourceMessages.arrived, { name: originalName })),
    remove: async ({ id, name }: ResourceRow) => {
      const title = t(resourceMessages.remove);
      const question = { title, content: t(resourceMessages.removeQuestion, { name }), confirm: title, cancel: t(resourceMessages.cancel), danger: true };
      return (await dialogs.confirm(question)) && done(await http.send(resource.removeOne, { id }), t(resourceMessages.removed));
    },
  };
}

type ResourceLayout = 'grid' | 'rows';
type ResourceOwner = 'department' | 'mine';

interface BarProps {
  /** Upload button. */
  readonly pick: ReactNode;
  readonly whose: ResourceOwner;
  readonly layout: ResourceLayout;
  readonly name: string;
  readonly onWhose: (whose: ResourceOwner) => void;
  readonly onLook: (look: ResourceLayout) => void;
  readonly onFind: (name: string) => void;
  readonly onAddFolder: () => void;
}

/** Toolbar with filters, view and actions. */
function Bar({ pick, whose, layout: look, name, onWhose, onLook, onFind, onAddFolder }: BarProps) {
  const t = useTranslation();
  return (
    <div className={styles.bar}>
      {pick}
      <Can code="depart_resource_add">
        <Button icon={<IconFolderAdd />} onClick={onAddFolder}>
          {t(resourceMessages.addFolder)}
        </Button>
      </Can>
      <Radio.Group type="button" aria-label={t(resourceMessages.whose)} value={whose} onChange={onWhose}>
        <Radio value="department">{t(resourceMessages.department)}</Radio>
        <Radio value="mine">{t(resourceMessages.mine)}</Radio>
      </Radio.Group>
      <Radio.Group type="button" aria-label={t(resourceMessages.look)} value={look} onChange={onLook}>
        <Radio value="grid">{t(resourceMessages.grid)}</Radio>
        <Radio value="rows">{t(resourceMessages.rows)}</Radio>
      </Radio.Group>
      <Input.Search
        key={name === '' ? 'empty' : 'sought'}
        allowClear
        defaultValue={name}
        className={styles.search ?? ''}
        placeholder={t(resourceMessages.search)}
        aria-label={t(resourceMessages.search)}
        onSearch={(text) => onFind(text.trim())}
        onClear={() => onFind('')}
      />
    </div>
  );
}
