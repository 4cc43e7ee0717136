import * as Type from 'typebox';
import { event, post } from './contract.ts';
import { Id } from './fields.ts';

/**
 * Announces that the caller has the form of a record open, or closes it with `ends`. An announcement expires, so it is repeated at the interval `editingIntervalMs`.
 * Replies with the names of the others who edit the record; 404 for a record that the caller may not both read and edit.
 */
export const editing = post('/api/live/editing', {
  title: ['正在编辑', 'Editing'],
  access: 'signedIn',
  input: Type.Object({
    entity: Type.String({ maxLength: 64 }),
    id: Id(),
    /** Identifies the opened form among those of the user. */
    form: Type.String({ maxLength: 64 }),
    ends: Type.Optional(Type.Boolean()),
  }),
  reply: Type.Object({ editors: Type.Array(Type.String()) }),
});

/** Milliseconds after which an open form announces itself again; an announcement is valid for three of them. */
export const editingIntervalMs = 15_000;

/** Names a record. */
export interface RecordName {
  readonly entity: string;
  readonly id: string;
}

/** Others have begun or stopped to edit a record; sent to users who edit it. */
export const RecordEditorsChanged = event<RecordName & { readonly editors: readonly string[] }>('record:editors-changed');

/** Another user has saved a record; sent to users who edit it. */
export const RecordSaved = event<RecordName & { readonly changedBy: string | null; readonly changedAt: string }>('record:saved');
