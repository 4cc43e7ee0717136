export { type Actor, actingAs, currentActor } from './actor.ts';
export { type Change, changesOf, recordChange, recordingChanges } from './changes.ts';
