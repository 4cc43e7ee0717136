/** The version of the kernel, as package.json says it; of plugins, too, that say none of their own and come with it. */
export const kernelVersion = '0.1.0';
