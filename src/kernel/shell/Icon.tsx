const drawings = {
  check: 'M5 12.5l4.5 4.5L19 7.5',
  chevronDown: 'M6 9l6 6 6-6',
  chevronRight: 'M9 6l6 6-6 6',
  close: 'M6 6l12 12M18 6L6 18',
  collapse: 'M4 6h16M10 12h10M4 18h16M7 9.5L4.5 12 7 14.5',
  console: 'M4 5h16v11H4zM9 20h6M12 16v4',
  dark: 'M20 14.5A8 8 0 0 1 9.5 4a8 8 0 1 0 10.5 10.5z',
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
  menu: 'M4 6h16M4 12h16M4 18h16',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  refresh: 'M20 5v5h-5M4 19v-5h5M19.3 10A8 8 0 0 0 5.6 7.3L4 9M4.7 14a8 8 0 0 0 13.7 2.7L20 15',
  signOut: 'M10 4H5v16h5M15 8l4 4-4 4M19 12H9',
  system: 'M4 5h16v11H4zM9 20h6M12 16v4',
  tags: 'M3 8h7v3h11v8H3zM13 5h8v3h-8z',
  user: 'M12 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM4.5 20.5c.8-4 3.8-6 7.5-6s6.7 2 7.5 6',
  warning: 'M12 4l9 16H3zM12 10v4.5M12 17.3h.01',
} as const;

/** The drawings of the shell. */
export type IconName = keyof typeof drawings;

/** One of the shell's line drawings, as large as the text beside it; it says nothing to a screen reader. */
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
