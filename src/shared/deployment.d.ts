declare module '#deployment/manifest' {
  /** Manifest that this console was built from. */
  export const manifest: import('./manifest/manifest.ts').Manifest;
}

declare module '#deployment/sign-in' {
  /** Sign-in methods of the plugins of the manifest, from their files `console/sign-in.ts`. */
  export const signInMethods: readonly import('../kernel/workbench/sign-in/steps/sign-in-method.ts').SignInMethod[];
}

declare module '#deployment/console' {
  /** Plugins of the manifest, each in a chunk of its own. */
  export const plugins: readonly import('../kernel/host/plugin/plugin.ts').LoadablePlugin[];
}

declare module '#deployment/server' {
  /** Manifest that this server was built from. */
  export const manifest: import('./manifest/manifest.ts').Manifest;
  /** Plugins of the manifest, with their migrations. */
  export const plugins: readonly import('../server/host/plugin-host/plugin.ts').InstalledPlugin[];
}

declare module '#deployment/modules' {
  /** Loads each public module of the product by its name, for server halves of packages, which do not contain them. */
  export const modules: Readonly<Record<string, () => Promise<object>>>;
}

declare module '#deployment/versions' {
  /** Versions of the packages that this console shares with remote plugins. */
  export const versions: Readonly<Record<'#kernel' | 'react' | 'react-dom' | 'rxjs' | 'dayjs' | '@arco-design/web-react', string>>;
}

declare module '*.sql' {
  const statements: string;
  export default statements;
}
