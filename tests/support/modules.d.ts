declare module '#tested-plugins' {
  /** Plugin whose contract the tests know. */
  export interface TestedPlugin {
    readonly id: string;
    /** True for plugins of the manifest, whose halves run; false for the others of the tree. */
    readonly isListed: boolean;
    readonly contract: Readonly<Record<string, unknown>>;
    readonly menus: Readonly<Record<string, unknown>>;
    readonly samples: import('../kit/samples.ts').PluginSamples;
  }

  export const testedPlugins: readonly TestedPlugin[];
}
