import { type KeyboardEvent, useRef } from 'react';

/** Handles the keys of a field with a calendar: Escape closes only the calendar, not the form around it, and Enter takes the typed value without submitting the form. */
export function useCalendarKeys() {
  const isOpen = useRef(false);
  const wasOpen = useRef(false);
  return {
    /** Props of the element around the field; it receives the keys the field does not handle. */
    box: {
      onKeyDownCapture: () => {
        wasOpen.current = isOpen.current;
      },
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key === 'Escape' && wasOpen.current) event.stopPropagation();
        if (event.key === 'Enter' && wasOpen.current) event.preventDefault();
      },
    },
    /** Props of the field itself. */
    picker: {
      onVisibleChange: (visible: boolean | undefined) => {
        isOpen.current = visible === true;
      },
      triggerProps: { escToClose: true },
    },
  };
}
