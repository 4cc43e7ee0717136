import { Button, Input, Pagination, Radio } from '@arco-design/web-react';
import { type FormEvent, useEffect, useId, useState } from 'react';
import {
  Can,
  CrudPage,
  copyText,
  Dialogs,
  FilePreview,
  formatBytes,
  Http,
  SidePanel,
  Toasts,
  UploadArea,
  useAddressPage,
  useAddressParameter,
  useAddressText,
  useExistingPage,
  useMutation,
  useQuery,
  useService,
  useTranslation,
  useTransportErrorToast,
  useUnsavedChanges,
} from '#kernel';
import { traitsOf } from '#shared/fields';
import {
  type AttachmentUse,
  type AttachRow,
  attach,
  attachMessages,
  keepAttachments,
  releaseAttachments,
  removeAttachments,
  renameAttachment,
} from '../contract.ts';
import { attachMenu } from '../menus.ts';
import { Gallery } from './Gallery.tsx';
import styles from './storage.module.css';

type SelectedAttachment = Pick<AttachRow, 'id' | 'originalName'>;

/** Returns the actions on attachments: copy the link, protect or release, and delete after showing the records that reference it. */
function useAttachmentActions(onChanged: () => void) {
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
    const content = uses.data.length === 0 ? question : `${question} ${t(attachMessages.usedBy)}${recordNames(uses.data)}`;
    const title = t(attachMessages.remove);
    if (!(await dialogs.confirm({ title, content, confirm: title, cancel: t(attachMessages.cancel), danger: true }))) return;
    const answer = await http.send(removeAttachments, { ids, evenUsed: uses.data.length > 0 });
    if (!answer.success) return;
    toasts.success(t(attachMessages.removed));
    onChanged();
  };

  const toggleKept = async ({ id, isKept }: Pick<AttachRow, 'id' | 'isKept'>) => {
    const { success } = await http.send(isKept ? releaseAttachments : keepAttachments, { ids: [id] });
    if (!success) return;
    toasts.success(t(isKept ? attachMessages.released : attachMessages.kept));
    onChanged();
  };

  return { copy, toggleKept, remove };
}

const maxNamesShown = 6;

/** Joins the names of the records that reference attachments. */
function recordNames(uses: readonly AttachmentUse[]): string {
  const names = [...new Set(uses.map(({ screen, record }) => `${screen} · ${record}`))];
  return names.slice(0, maxNamesShown).join(' / ') + (names.length > maxNamesShown ? ' …' : '');
}

/** Shows uploaded files as a gallery or a list. */
export default function AttachPage() {
  const t = useTranslation();
  const http = useService(Http);
  const toasts = useService(Toasts);
  const showError = useTransportErrorToast();
  const [layout, setLayout] = useAddressParameter('show', ['grid', 'rows'], { resets: ['page'] });
  const [refetchKey, setRefetchKey] = useState(0);
  const [previewed, setPreviewed] = useState<AttachRow>();
  const [renamed, setRenamed] = useState<AttachRow>();
  const reload = () => setRefetchKey((before) => before + 1);
  const layoutSwitch = (
    <Radio.Group type="button" aria-label={t(attachMessages.layout)} value={layout} onChange={setLayout}>
      <Radio value="grid">{t(attachMessages.grid)}</Radio>
      <Radio value="rows">{t(attachMessages.rows)}</Radio>
    </Radio.Group>
  );
  return (
    <>
      <UploadArea
        code="attach_add"
        onUploaded={({ attachId, originalName }) => {
          toasts.success(t(attachMessages.uploaded, { name: originalName }));
          http
            .send(keepAttachments, { ids: [attachId] })
            .catch(showError)
            .finally(reload);
        }}
      >
        {(uploadButton) => (
          <>
            <div className={styles.bar}>
              {uploadButton}
              {layoutSwitch}
            </div>
            <p className={styles.help}>{t(attachMessages.help)}</p>
            {layout === 'grid' ? (
              <AttachGallery refetchKey={refetchKey} onChanged={reload} onOpen={setPreviewed} onRename={setRenamed} />
            ) : (
              <AttachList key={refetchKey} onChanged={reload} onOpen={setPreviewed} onRename={setRenamed} />
            )}
          </>
        )}
      </UploadArea>
      {renamed && <RenamePanel row={renamed} onRenamed={reload} onClose={() => setRenamed(undefined)} />}
      {previewed && <FilePreview file={previewed} onClose={() => setPreviewed(undefined)} />}
    </>
  );
}

interface AttachViewProps {
  readonly onChanged: () => void;
  readonly onOpen: (row: AttachRow) => void;
  readonly onRename: (row: AttachRow) => void;
}

function AttachList({ onChanged, onOpen, onRename }: AttachViewProps) {
  const { copy, toggleKept, remove } = useAttachmentActions(onChanged);
  return (
    <CrudPage
      crud={attach}
      title={attachMenu.title}
      empty={{ title: attachMessages.noFiles, hint: attachMessages.noFilesHint }}
      columns={{ attachSize: { render: ({ attachSize }) => formatBytes(attachSize) } }}
      actions={{
        row: [
          { title: attachMessages.open, onClick: (row) => onOpen(row as AttachRow) },
          { title: attachMessages.copy, onClick: (row) => copy(row as AttachRow) },
          { title: attachMessages.rename, code: 'attach_edit', onClick: (row) => onRename(row as AttachRow) },
          { title: attachMessages.keep, code: 'attach_add', when: ({ isKept }) => !isKept, onClick: (row) => toggleKept(row as AttachRow) },
          { title: attachMessages.release, code: 'attach_edit', when: ({ isKept }) => isKept, onClick: (row) => toggleKept(row as AttachRow) },
          { title: attachMessages.remove, code: 'attach_delete', onClick: (row) => remove([row]) },
        ],
      }}
    />
  );
}

const pageSize = 10;

function AttachGallery({ refetchKey, onChanged, onOpen, onRename }: AttachViewProps & { readonly refetchKey: number }) {
  const t = useTranslation();
  const [name, setName] = useAddressText('originalName', { resets: ['page'] });
  const [text, setText] = useState(name);
  const addressPage = useAddressPage();
  const [current, setCurrent] = addressPage;
  const showError = useTransportErrorToast();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const { copy, remove } = useAttachmentActions(() => {
    setSelected(new Set());
    onChanged();
  });
  const query = { current, size: pageSize, ...(name ? { originalName: name } : {}) };
  const { data: page, error, isFetching, refetch } = useQuery(attach.list, query, { refetchKey, keepPreviousData: true });
  const rows = (page?.records ?? []) as readonly AttachRow[];
  const selectedRows = rows.filter(({ id }) => selected.has(id));
  useExistingPage(page, addressPage);
  useEffect(() => setText(name), [name]);
  return (
    <section aria-label={t(attachMenu.title)} className={styles.pictures} aria-busy={isFetching}>
      <div className={styles.bar}>
        <Input.Search
          allowClear
          className={styles.search ?? ''}
          placeholder={t(attachMessages.search)}
          aria-label={t(attachMessages.search)}
          value={text}
          onChange={setText}
          onSearch={(searched) => setName(searched.trim())}
          onClear={() => setName('')}
        />
        {selectedRows.length > 0 && (
          <Can code="attach_delete">
            <Button status="danger" onClick={() => void remove(selectedRows).catch(showError)}>
              {t(attachMessages.removeSelected, { count: selectedRows.length })}
            </Button>
          </Can>
        )}
        <span className={styles.total}>{page && t(attachMessages.total, { count: page.total })}</span>
      </div>
      {error && (
        <p className={styles.none} role="alert">
          {t(attachMessages.loadFailed)} <Button onClick={refetch}>{t('errors.retry')}</Button>
        </p>
      )}
      {page?.total === 0 && !isFetching && !error && <p className={styles.none}>{t(name ? attachMessages.noResults : attachMessages.none)}</p>}
      <Gallery
        rows={rows}
        selected={selected}
        onSelect={(id, isSelected) => setSelected(new Set(isSelected ? [...selected, id] : [...selected].filter((one) => one !== id)))}
        onOpen={onOpen}
        onCopy={(row) => void copy(row)}
        onRename={onRename}
        onRemove={(row) => void remove([row]).catch(showError)}
      />
      {page && page.total > pageSize && (
        <Pagination
          current={current}
          pageSize={pageSize}
          total={page.total}
          onChange={(next) => {
            setSelected(new Set());
            setCurrent(next);
          }}
        />
      )}
    </section>
  );
}

interface RenamePanelProps {
  readonly row: Pick<AttachRow, 'id' | 'originalName'>;
  readonly onRenamed: () => void;
  readonly onClose: () => void;
}

/** Asks for the new name of an attachment; its content and links stay the same. */
function RenamePanel({ row, onRenamed, onClose }: RenamePanelProps) {
  const toasts = useService(Toasts);
  const t = useTranslation();
  const id = useId();
  const [name, setName] = useState(row.originalName);
  useUnsavedChanges(name !== row.originalName);
  const title = traitsOf(attach.entity.fields.originalName)?.title ?? attachMessages.rename;
  const { isPending, mutate } = useMutation(renameAttachment, {
    onSuccess: () => {
      toasts.success(t(attachMessages.renamed));
      onRenamed();
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void mutate({ id: row.id, originalName: name.trim() });
  };
  return (
    <SidePanel open title={t(attachMessages.renameOf, { name: row.originalName })} width={420} onClose={onClose}>
      <form className={styles.form} onSubmit={submit}>
        <label htmlFor={id}>{t(title)}</label>
        <Input id={id} value={name} maxLength={255} autoFocus onChange={setName} />
        <div className={styles.bar}>
          <Button type="primary" htmlType="submit" loading={isPending} disabled={name.trim() === '' || name.trim() === row.originalName}>
            {t(attachMessages.rename)}
          </Button>
          <Button onClick={onClose}>{t(attachMessages.cancel)}</Button>
        </div>
      </form>
    </SidePanel>
  );
}
