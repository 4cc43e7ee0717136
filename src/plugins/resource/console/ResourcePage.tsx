import { Button, Input, Pagination, Radio } from '@arco-design/web-react';
import { IconFolderAdd } from '@arco-design/web-react/icon';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { Can, Dialogs, FilePreview, Http, Toasts, UploadArea, useQuery, useService, useTranslation } from '#kernel';
import type { FileReplyRow } from '#shared/files';
import { kinds, type ResourceRow, resource } from '../contract.ts';
import { MovePanel } from './MovePanel.tsx';
import { words } from './messages.ts';
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
    <section className={styles.contents} aria-label={t(words.department)} aria-busy={isFetching}>
      {error && (
        <p className={styles.none} role="alert">
          {t(words.unread)} <Button onClick={refetch}>{t(words.retry)}</Button>
        </p>
      )}
      {page && !isFetching && !error && rows.length === 0 && <p className={styles.none}>{t(name ? words.noneFound : words.empty)}</p>}
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
  const [asked, setAsked] = useState<ResourcePanelState>();
  const [shown, setShown] = useState<ResourceRow>();
  const acts = useResourceActions(() => setRound((before) => before + 1));
  const pid = path.at(-1)?.id ?? '0';
  const closed = () => setAsked(undefined);
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
            <Bar pick={pick} {...{ whose, look, name }} onWhose={setWhose} onLook={setLook} onFind={setName} onAddFolder={() => setAsked({ what: 'folder' })} />
            <div className={styles.place}>
              <Path path={path} onWalk={setPath} onDrop={(id, to) => void acts.move(id, to)} />
              {whose === 'department' && name === '' && <Numbers pid={pid} round={round} />}
            </div>
            <Contents
              key={`${pid} ${whose} ${name}`}
              {...{ pid, whose, name, look, round }}
              onOpen={open}
              onRename={(of) => setAsked({ what: 'name', of })}
              onMove={(of) => setAsked({ what: 'move', of })}
              onRemove={(of) => void acts.remove(of)}
              onDrop={(id, to) => void acts.move(id, to)}
            />
          </>
        )}
      </UploadArea>
      {asked?.what === 'folder' && (
        <NamePanel title={t(words.addFolder)} label={t(words.folderName)} initial="" onSave={(typed) => acts.addFolder(typed, pid)} onClose={closed} />
      )}
      {asked?.what === 'name' && (
        <NamePanel
          title={t(words.renameOf, { name: asked.of.name })}
          label={t(words.name)}
          initial={asked.of.name}
          onSave={(typed) => acts.rename(asked.of.id, typed)}
          onClose={closed}
        />
      )}
      {asked?.what === 'move' && <MovePanel of={asked.of} onMove={(to) => void acts.move(asked.of.id, to)} onClose={closed} />}
      {shown?.url && <FilePreview of={{ type: shown.mime ?? '', link: shown.url, originalName: shown.name }} onClose={() => setShown(undefined)} />}
    </>
  );
}

/** Shows the number of folders and files in a folder; a new `round` reloads it. */
function Numbers({ pid, round }: { readonly pid: string; readonly round: number }) {
  const t = useTranslation();
  const { data } = useQuery(resource.numbers, { pid }, { refetchKey: round });
  return <p>{data && t(words.counted, { folders: data.folders, files: data.files })}</p>;
}

/** Actions on folders and files; each resolves true on success. */
function useResourceActions(onChanged: () => void) {
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

type ResourceLayout = 'grid' | 'rows';
type ResourceOwner = 'department' | 'mine';

interface BarProps {
  /** Upload button. */
  readonly pick: ReactNode;
  readonly whose: ResourceOwner;
  readonly look: ResourceLayout;
  readonly name: string;
  readonly onWhose: (whose: ResourceOwner) => void;
  readonly onLook: (look: ResourceLayout) => void;
  readonly onFind: (name: string) => void;
  readonly onAddFolder: () => void;
}

/** Toolbar with filters, view and actions. */
function Bar({ pick, whose, look, name, onWhose, onLook, onFind, onAddFolder }: BarProps) {
  const t = useTranslation();
  return (
    <div className={styles.bar}>
      {pick}
      <Can code="depart_resource_add">
        <Button icon={<IconFolderAdd />} onClick={onAddFolder}>
          {t(words.addFolder)}
        </Button>
      </Can>
      <Radio.Group type="button" aria-label={t(words.whose)} value={whose} onChange={onWhose}>
        <Radio value="department">{t(words.department)}</Radio>
        <Radio value="mine">{t(words.mine)}</Radio>
      </Radio.Group>
      <Radio.Group type="button" aria-label={t(words.look)} value={look} onChange={onLook}>
        <Radio value="grid">{t(words.grid)}</Radio>
        <Radio value="rows">{t(words.rows)}</Radio>
      </Radio.Group>
      <Input.Search
        key={name === '' ? 'empty' : 'sought'}
        allowClear
        defaultValue={name}
        className={styles.search ?? ''}
        placeholder={t(words.search)}
        aria-label={t(words.search)}
        onSearch={(text) => onFind(text.trim())}
        onClear={() => onFind('')}
      />
    </div>
  );
}
