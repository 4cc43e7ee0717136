import { useCallback, useEffect, useRef, useState } from 'react';
import { filter, firstValueFrom } from 'rxjs';
import { codes } from '#shared/contract';
import { readRecord, writeRecord } from '#shared/list-address';
import { useService } from '../../base/react/services.tsx';
import { Toasts } from '../../platform/feedback/toasts.ts';
import { useTranslation } from '../../platform/i18n/use-translation.ts';
import { useGrants } from '../../platform/permission/use-can.tsx';
import type { PageAddress } from '../../ui/pane/page-address.ts';
import type { CrudPageProps, Row } from '../model/crud-screen.ts';
import type { CrudStore } from '../model/crud-store.ts';
import { flatten, isEditable } from '../model/entity-fields.ts';
import { pageMode, type RecordPlace, useRecordLinks, useRecordPlace } from '../record/record-place.ts';
import type { OpenedForm } from './use-opened-form.ts';

type OpenedRecord = ReturnType<typeof readRecord>;

/** The row that is shown read-only. */
export interface ShownRow {
  readonly shown: Row | undefined;
  readonly show: (row: Row | undefined) => void;
  /** Opens a row where this user opens records. */
  readonly view: (row: Row) => void;
  readonly place: RecordPlace;
  /** Reports that the record of a link cannot be shown. */
  readonly missing: () => void;
}

const isSame = (one: OpenedRecord, other: OpenedRecord) => one.record === other.record && one.mode === other.mode;
const isNothing = ({ record, mode }: OpenedRecord) => record === undefined && mode === undefined;

/**
 * Synchronizes the opened record of a list with the address of its page: opening one adds an entry to the browser's history, so that going back closes it,
 * and a reload or a link opens it again.
 */
export function useOpenedRecord(
  props: CrudPageProps,
  { address, store, opened }: { address: PageAddress | undefined; store: CrudStore; opened: OpenedForm },
): ShownRow {
  const [isPage] = useState(() => address !== undefined && readRecord(address.search).mode === pageMode);
  const [shown, setShown] = useState<Row | undefined>(() => (isPage ? linkedRow(address) : undefined));
  const place = isPage ? 'page' : address ? 'beside' : 'drawer';
  const [preferred] = useRecordPlace();
  const links = useRecordLinks(address);
  const { missing, open } = useLinkedRecord(props, { store, opened, onShow: setShown });
  const current = isPage ? { record: shown?.id, mode: pageMode } : openedRecord(shown, opened);
  const latest = useRef({ current, written: current, open, close: opened.close });
  Object.assign(latest.current, { current, open, close: opened.close });

  const { record, mode } = current;
  useEffect(() => {
    const now = { record, mode };
    const { written } = latest.current;
    // A record of the address that is not open yet stays in the address.
    if (!address || isSame(written, now)) return;
    latest.current.written = now;
    if (!isSame(readRecord(address.search), now)) address.change((parameters) => writeRecord(parameters, now), isNothing(written) ? 'push' : 'replace');
  }, [address, record, mode]);

  useEffect(() => {
    if (!address) return;
    let isAsking = false;
    // The first address after the tab was shown again: a link to the tab that names no record leaves the opened one as it is.
    let isFirstAddress = true;
    const follow = async () => {
      if (isPage) return setShown((row) => (row?.id === linkedRow(address)?.id ? row : linkedRow(address)));
      const { current, written } = latest.current;
      // A record that the operator has just opened or closed is about to be written.
      if (isAsking || !isSame(written, current) || isSame(readRecord(address.search), current)) return;
      if (isFirstAddress && isNothing(readRecord(address.search))) return address.change((parameters) => writeRecord(parameters, current), 'replace');
      isAsking = true;
      const isClosed = await latest.current.close();
      isAsking = false;
      const target = readRecord(address.search);
      // Going back past unsaved input that the operator keeps returns to the entry of the form.
      if (!isClosed) return address.change((parameters) => writeRecord(parameters, latest.current.current), 'push');
      if (isNothing(target)) return setShown(undefined);
      await firstValueFrom(store.state$.pipe(filter(({ status }) => status !== 'loading')), { defaultValue: undefined });
      if (!isSame(readRecord(address.search), target) || isSame(target, latest.current.current)) return;
      if (!latest.current.open(target)) address.change((parameters) => writeRecord(parameters, {}), 'replace');
    };
    const subscription = address.search$.subscribe(() => void follow());
    isFirstAddress = false;
    return () => subscription.unsubscribe();
  }, [address, store, isPage]);

  const view = (row: Row) => (place === 'beside' && preferred === 'page' ? links.openPage(row.id) : setShown(row));
  const showMissing = useCallback(() => {
    missing();
    setShown(undefined);
  }, [missing]);
  return { shown, show: setShown, view, place, missing: showMissing };
}

/** Returns the row that the address of a record's page names; only its id is known. */
function linkedRow(address: PageAddress | undefined): Row | undefined {
  const { record } = readRecord(address?.search ?? '');
  return record === undefined ? undefined : { id: record };
}

/** Returns the opened record as the address describes it. An action form has a mode of its own, because only its button can open it. */
function openedRecord(shown: Row | undefined, { form, rowAction }: OpenedForm): OpenedRecord {
  if (form) return { record: form.row?.id, mode: rowAction ? 'action' : form.row ? 'edit' : 'add' };
  return { record: shown?.id, mode: undefined };
}

interface LinkedRecord {
  readonly store: CrudStore;
  readonly opened: OpenedForm;
  readonly onShow: (row: Row | undefined) => void;
}

/** Returns a function that opens the record of a link, or returns false if this user may not, and one that warns that the record is missing. */
function useLinkedRecord({ crud, actions }: CrudPageProps, { store, opened, onShow }: LinkedRecord) {
  const t = useTranslation();
  const toasts = useService(Toasts);
  const may = useGrants();
  const permitted = codes(crud.menu);
  const missing = useCallback(() => toasts.warning(t('table.recordMissing')), [toasts, t]);
  const open = ({ record, mode }: OpenedRecord): boolean => {
    const row = record === undefined ? undefined : (flatten(store.state.rows).find(({ id }) => id === record) ?? { id: record });
    const mayBeEdited = row !== undefined && (Object.keys(row).length === 1 || isEditable(crud.entity, actions, row));
    // The notice above the list offers unsaved input, which an opened form would replace.
    if (opened.draft && mode !== undefined) return false;
    if (mode === 'add' && crud.submit && may(permitted.add)) opened.open();
    else if (row && mode === 'edit' && crud.submit && may(permitted.edit) && mayBeEdited) {
      onShow(undefined);
      opened.open(row);
    } else if (row && crud.detail && may(permitted.view)) onShow(row);
    else {
      missing();
      return false;
    }
    return true;
  };
  return { missing, open };
}
