/** Paths of Arco Design (MIT) on a grid of 48 × 48. */
const paths = {
  export: 'M31.928 33.072 41 24.002l-9.072-9.072M16.858 24h24M31 41H7V7h24',
  import: 'm27.929 33.072-9.071-9.07 9.07-9.072M43 24H19m12 17H7V7h24',
} as const;

/** Icon of an export or import, as Arco draws it: its own components are many times as large, and every list loads these two. */
export const SheetIcon = ({ name }: { readonly name: keyof typeof paths }) => (
  <svg className={`arco-icon arco-icon-${name}`} fill="none" stroke="currentColor" strokeWidth="4" viewBox="0 0 48 48" aria-hidden focusable="false">
    <path d={paths[name]} />
  </svg>
);
