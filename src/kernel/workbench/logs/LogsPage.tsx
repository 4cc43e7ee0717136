import { Button, Table, type TableColumnProps } from '@arco-design/web-react';
import { uploadErrors } from '#shared/error-log';
import { useService } from '../../base/react/services.tsx';
import { useStream } from '../../base/react/use-stream.ts';
import { type ErrorEntry, ErrorLog } from '../../platform/errors/error-log.ts';
import { Dialogs } from '../../platform/feedback/dialogs.ts';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { Http } from '../../platform/http/http.ts';
import { useMutation } from '../../platform/http/use-mutation.ts';
import { formatDateTime } from '../../platform/i18n/date-time.ts';
import type { TextKey } from '../../platform/i18n/texts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { Session } from '../../platform/session/session.ts';
import { Illustration } from '../../ui/errors/Illustration.tsx';
import { useIsPhone } from '../../ui/primitives/breakpoint.ts';
import { Icon } from '../../ui/primitives/Icon.tsx';
import styles from './LogsPage.module.css';

type LoggedRow = ErrorEntry & { readonly key: string };

const types: Readonly<Record<ErrorEntry['type'], TextKey>> = {
  error: 'logs.error',
  rejection: 'logs.rejection',
  request: 'logs.request',
  plugin: 'logs.plugin',
};

/** Lists the errors of this browser, to inspect, upload or clear. */
export default function LogsPage() {
  const t = useTranslation();
  const log = useService(ErrorLog);
  const entries = useStream(log.entries$, log.entries);
  const zone = useService(Session).user?.time_zone;
  const { upload, clear, isUploading } = useLogActions(log);
  // Keys count from the oldest entry, because new entries are added in front.
  const rows = entries.map((entry, index): LoggedRow => ({ ...entry, key: `${entry.time}-${entries.length - index}` }));
  const isPhone = useIsPhone();
  const stackedCell = (_: unknown, row: LoggedRow) => (
    <>
      {messageOf(row.message, row)}
      <p className={styles.about}>
        <span className={styles.type}>{t(types[row.type])}</span>
        <span className={styles.time}>{formatDateTime(row.time, zone)}</span>
        <span>{pathOf(row.url)}</span>
      </p>
    </>
  );
  const columns: TableColumnProps<LoggedRow>[] = [
    { title: t('logs.type'), dataIndex: 'type', width: 140, render: (type: ErrorEntry['type']) => <span className={styles.type}>{t(types[type])}</span> },
    { title: t('logs.message'), dataIndex: 'message', className: styles.wrap ?? '', render: messageOf },
    { title: t('logs.address'), dataIndex: 'url', width: 120, className: styles.wrap ?? '', render: pathOf },
    { title: t('logs.time'), dataIndex: 'time', width: 176, className: styles.time ?? '', render: (time: number) => formatDateTime(time, zone) },
  ];
  return (
    <section className={styles.page} aria-label={t('logs.title')}>
      <header className={styles.head}>
        <p>{t('logs.explanation')}</p>
        <Button type="primary" disabled={rows.length === 0} loading={isUploading} onClick={upload}>
          {t('logs.upload')}
        </Button>
        <Button disabled={rows.length === 0} onClick={clear}>
          {t('logs.clear')}
        </Button>
      </header>
      {rows.length === 0 && (
        <div className={styles.none}>
          <Illustration scene="empty" />
          <p>{t('logs.none')}</p>
        </div>
      )}
      {rows.length > 0 && (
        <Table
          className={styles.table ?? ''}
          data={rows}
          columns={isPhone ? [{ title: t('logs.message'), dataIndex: 'message', className: styles.wrap ?? '', render: stackedCell }] : columns}
          border={false}
          {...(isPhone ? {} : { scroll: { x: 630 } })}
          pagination={{ pageSize: 10, hideOnSinglePage: true, showTotal: true }}
          expandedRowRender={({ stack, info }) => <pre className={styles.stack}>{[info, stack].filter(Boolean).join('\n') || t('logs.noStack')}</pre>}
          expandProps={{
            width: 44,
            columnTitle: <span className="visually-hidden">{t('crud.viewTitle')}</span>,
            // Arco adds the onClick handler.
            icon: ({ expanded, record }) => (
              <button
                type="button"
                className={styles.expand}
                aria-expanded={expanded}
                aria-label={t(expanded ? 'table.collapseDetails' : 'table.expandDetails', { name: (record as LoggedRow).message })}
              >
                <Icon name={expanded ? 'chevronDown' : 'chevronRight'} size={14} />
              </button>
            ),
          }}
        />
      )}
    </section>
  );
}

const messageOf = (message: string, { count = 1 }: LoggedRow) => (count > 1 ? `${message} ×${count}` : message);

/** Shortens an address of this console to its path. */
const pathOf = (url: string) => (url.startsWith(`${location.origin}/`) ? url.slice(location.origin.length) : url);

function useLogActions(log: ErrorLog) {
  const t = useTranslation();
  const http = useService(Http);
  const dialogs = useService(Dialogs);
  const toasts = useService(Toasts);
  const confirmAction = (title: TextKey, content: TextKey) => dialogs.confirm({ title: t(title), content: t(content), confirm: t('shell.confirm') });

  const { isPending: isUploading, mutate: send } = useMutation(async () => {
    const sent = log.entries;
    const reports = sent.map(({ count: _, url, info, ...entry }) => ({ ...entry, url: url.slice(0, 2000), info: info.slice(0, 4000) }));
    const answer = await http.send(uploadErrors, reports).catch(() => undefined);
    if (!answer) toasts.error(t('logs.uploadFailed'));
    if (!answer?.success) return false;
    log.removeEntries(sent);
    toasts.success(t('logs.uploaded'));
    return true;
  });
  const upload = async () => {
    if (await confirmAction('logs.upload', 'logs.uploadQuestion')) await send();
  };

  const clear = async () => {
    if (!(await confirmAction('logs.clear', 'logs.clearQuestion'))) return;
    log.clear();
    toasts.success(t('logs.cleared'));
  };
  return { upload, clear, isUploading };
}
