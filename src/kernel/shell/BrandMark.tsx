const bulbs = [8, 13.3, 18.7, 24];

/** The product's mark: a theatre sign between two rows of bulbs. */
export function BrandMark({ size = 32 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#1a69c6" />
      <rect x="6.5" y="9.5" width="19" height="13" rx="2.5" fill="#fff" />
      <path d="M10 19.5v-7l3.6 3.8 2.4-2.6 2.4 2.6 3.6-3.8v7" fill="none" stroke="#1a69c6" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round" />
      {bulbs.flatMap((x) => [6, 26].map((y) => <circle key={`${x} ${y}`} cx={x} cy={y} r="1.3" fill="#ffd479" />))}
    </svg>
  );
}
