import { useCallback } from 'react';
import { useService } from '../../base/react/services.tsx';
import { useStore } from '../../base/react/use-store.ts';
import { UserPreferences, valueIn } from './user-preferences.ts';

/** Returns one of the user's preferences and a function that changes it; `undefined` removes it. */
export function usePreference<Value>(key: string, version: number): readonly [Value | undefined, (value: Value | undefined) => void] {
  const preferences = useService(UserPreferences);
  const value = useStore(
    preferences,
    useCallback(({ entries }) => valueIn<Value>(entries, key, version), [key, version]),
  );
  const change = useCallback(
    (chosen: Value | undefined) => (chosen === undefined ? preferences.remove(key) : preferences.write(key, version, chosen)),
    [preferences, key, version],
  );
  return [value, change];
}
