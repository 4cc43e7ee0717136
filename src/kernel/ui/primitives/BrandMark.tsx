import { useId } from 'react';
import { useService } from '../../base/react/services.tsx';
import { Branding } from '../../platform/theme/branding.ts';

const bulbs = [
  [8, 8.4],
  [12, 6.7],
  [16, 6.1],
  [20, 6.7],
  [24, 8.4],
] as const;

/** Renders the tenant's logo, else the product's mark: an M under the lit arch of a theatre. */
export function BrandMark({ size = 32 }: { readonly size?: number }) {
  const { logo } = useService(Branding);
  const gradient = useId();
  if (logo) return <img src={logo} height={size} alt="" style={{ flex: 'none', maxWidth: size * 4 }} />;
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <linearGradient id={gradient} x2="0" y2="1">
        <stop stopColor="var(--brand-mark)" />
        <stop offset="1" stopColor="var(--brand-mark-low)" />
      </linearGradient>
      <rect x="0.5" y="0.5" width="31" height="31" rx="8" fill={`url(#${gradient})`} stroke="#ffffff" strokeOpacity="0.28" />
      <path d="M8.4 24.4v-11l7.6 6.8 7.6-6.8v11" fill="none" stroke="#ffffff" strokeWidth="3.2" strokeLinecap="round" strokeLinejoin="round" />
      {bulbs.map(([x, y]) => (
        <circle key={x} cx={x} cy={y} r="1.5" fill="#ffce6a" />
      ))}
    </svg>
  );
}
