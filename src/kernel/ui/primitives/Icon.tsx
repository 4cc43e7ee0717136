const drawings = {
  bell: 'M6 16V10.5a6 6 0 0 1 12 0V16l1.5 2h-15zM10 20.5a2.2 2.2 0 0 0 4 0',
  bug: 'M8 9a4 4 0 0 1 8 0M7 10h10v4a5 5 0 0 1-10 0zM12 12v7M3.5 13H7M17 13h3.5M4.5 19l3-2M19.5 19l-3-2M4.5 7.5L7.5 10M19.5 7.5l-3 2.5',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  chevronDown: 'M6 9l6 6 6-6',
  chevronLeft: 'M15 6l-6 6 6 6',
  chevronRight: 'M9 6l6 6-6 6',
  clean: 'M14 4l-3.5 7M6 13.5l9 4.5M7 11.5c3-1.5 6-1 9 2-1 3-1.500 5-1.500 7H6c0-3-.5-6 1-9z',
  close: 'M6 6l12 12M18 6L6 18',
  collapse: 'M4 6h16M10 12h10M4 18h16M7 9.5L4.5 12 7 14.5',
  console: 'M4 5h16v11H4zM9 20h6M12 16v4',
  dark: 'M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5z',
  download: 'M12 4v10M7.5 10l4.5 4.5L16.5 10M4 17v3h16v-3',
  expand: 'M4 6h16M10 12h10M4 18h16M4.5 9.5L7 12l-2.5 2.5',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6z',
  eyeClosed:
    'M4 4l16 16M9.9 5.8A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-3 3.7M6.3 7.6A16 16 0 0 0 2.5 12S6 18.5 12 18.5a9 9 0 0 0 4.4-1.2M10 10a3 3 0 0 0 4.2 4.2',
  fullScreen: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
  globe: 'M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18zM3.5 9.5h17M3.5 14.5h17M12 3c5 5 5 13 0 18M12 3c-5 5-5 13 0 18',
  home: 'M4 11l8-7 8 7M6 9.5V20h12V9.5M10 20v-6h4v6',
  key: 'M15 4a5 5 0 1 1-4 8L4 19v1.5h3V18h2v-2h2l1.5-1.5M16 8h.01',
  leaveFullScreen: 'M9 4v5H4M20 9h-5V4M15 20v-5h5M4 15h5v5',
  light: 'M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4',
  lock: 'M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3M12 14.5v2',
  mail: 'M4 6h16v12H4zM4 7.500l8 5.500 8-5.500',
  menu: 'M4 6h16M4 12h16M4 18h16',
  more: 'M5 11.3a.7.7 0 1 0 0 1.400.7.7 0 1 0 0-1.400zM12 11.3a.7.7 0 1 0 0 1.400.7.7 0 1 0 0-1.400zM19 11.3a.7.7 0 1 0 0 1.400.7.7 0 1 0 0-1.400z',
  openWindow: 'M10 5H5v14h14v-5M14 4h6v6M20 4l-9 9',
  palette: 'M12 3a9 9 0 1 0 0 18c1.6 0 2.2-1 2-2.2-.3-1.5.3-2.8 2.2-2.8h1.8a3 3 0 0 0 3-3c0-5.5-4-10-9-10zM7.5 12h.01M9.5 7.8h.01M14.5 7.8h.01',
  phone: 'M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM10.5 18h3',
  pin: 'M9 4h6l-.8 6 3.300 3.500H6.500L9.800 10zM12 13.500V21',
  refresh: 'M20 5v5h-5M4 19v-5h5M19.3 10A8 8 0 0 0 5.6 7.3L4 9M4.7 14a8 8 0 0 0 13.7 2.7L20 15',
  search: 'M11 4a7 7 0 1 1 0 14 7 7 0 0 1 0-14zM16.200 16.200l4.300 4.300',
  signOut: 'M10 4H5v16h5M15 8l4 4-4 4M19 12H9',
  system: 'M4 5h16v11H4zM9 20h6M12 16v4',
  tags: 'M3 8h7v3h11v8H3zM13 5h8v3h-8z',
  user: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4.5 20.5c.8-4 3.8-6 7.5-6s6.7 2 7.5 6',
  warning: 'M12 4l9 16H3zM12 10v4.5M12 17.3h.01',
} as const;

/** Names of the shell's icons. */
export type IconName = keyof typeof drawings;

/** Renders one of the shell's line icons; it is hidden from screen readers. */
export function Icon({ name, size = 18 }: { readonly name: IconName; readonly size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth={1.7}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={drawings[name]} />
    </svg>
  );
}
