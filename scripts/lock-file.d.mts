/** Package of the lock file, with the properties that concern platforms. */
export interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly engines?: { readonly node?: string };
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Platform in npm's terms; `libc` exists on Linux only. */
export interface Platform {
  readonly os: string;
  readonly cpu: string;
  readonly libc?: string;
}

export type LockedPackages = Readonly<Record<string, LockedPackage>>;

export function lockedPackages(path?: string): LockedPackages;
export function missingOptionalPackages(packages: LockedPackages): string[];
export function nativePackages(packages: LockedPackages, platform: Platform): { dependent: string; name: string; place: string }[];
export function withoutNativeCode(packages: LockedPackages, platform: Platform): string[];
