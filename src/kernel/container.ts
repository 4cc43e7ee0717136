import { Container as Bindings, type ServiceIdentifier } from 'inversify';
import type { Undo } from './bus.ts';
import type { Provide, ServiceClass } from './plugin.ts';
import type { Services } from './services.tsx';

type Constructor = new (...needs: unknown[]) => unknown;

/** One service of a container: its name, what it is made with, and whether it has been. What was lent is made with nothing. */
export interface DescribedService {
  readonly name: string;
  readonly needs: readonly string[];
  readonly made: unknown;
}

/** Holds services. What it constructed ends with it, newest first; what was bound to it was lent and stays alive. */
export class Container implements Services {
  private readonly bindings: Bindings;
  private readonly constructed: unknown[] = [];
  private readonly children = new Set<Container>();
  private readonly lent = new Map<ServiceClass, unknown>();
  private readonly described = new Map<ServiceClass, readonly ServiceClass[]>();
  private disposed = false;

  constructor(private readonly parent?: Container) {
    this.bindings = new Bindings(parent ? { parent: parent.bindings } : {});
  }

  /** Constructs the class when it is first asked for, once. */
  readonly provide: Provide = (service, needs) => {
    this.described.set(service as ServiceClass, needs as readonly ServiceClass[]);
    const construct = (...resolved: unknown[]) => {
      const made = new (service as unknown as Constructor)(...resolved);
      this.constructed.push(made);
      return made;
    };
    this.bindings
      .bind<unknown>(service as ServiceIdentifier)
      .toResolvedValue(construct, needs as readonly ServiceIdentifier[] as ServiceIdentifier[])
      .inSingletonScope();
  };

  /** Answers for a class or port with this instance, which somebody else owns. */
  bind<Service>(identifier: ServiceClass<Service>, instance: Service): void {
    this.bindings.bind<Service>(identifier as ServiceIdentifier<Service>).toConstantValue(instance);
    this.described.set(identifier, []);
    this.lent.set(identifier, instance);
  }

  /** What it holds, in the order in which that was told. */
  get contents(): DescribedService[] {
    return [...this.described].map(([service, needs]) => ({
      name: service.name,
      needs: needs.map(({ name }) => name),
      made: this.constructed.find((made) => (made as object).constructor === service) ?? this.lent.get(service),
    }));
  }

  /** Answers for a class or port with what this gives each time, until the undoing is called; a second answer for one is refused. */
  lend<Service>(identifier: ServiceClass<Service>, give: () => Service): Undo {
    const bound = identifier as ServiceIdentifier<Service>;
    if (this.bindings.isBound(bound)) throw new Error(`${identifier.name} is there already, and cannot be shared a second time`);
    this.bindings.bind<Service>(bound).toDynamicValue(give);
    return () => {
      if (!this.disposed) void this.bindings.unbind(bound);
    };
  }

  /** The service, or nothing where nobody answers for it now. */
  find<Service>(service: ServiceClass<Service>): Service | undefined {
    return !this.disposed && this.bindings.isBound(service as ServiceIdentifier<Service>) ? this.get(service) : undefined;
  }

  get<Service>(service: ServiceClass<Service>): Service {
    if (this.disposed) throw new Error(`${service.name} was asked of a container that is disposed`);
    return this.bindings.get<Service>(service as ServiceIdentifier<Service>);
  }

  /** A container that knows these services and its own. */
  createChild(): Container {
    const child = new Container(this);
    this.children.add(child);
    return child;
  }

  /** How many containers live below this one. */
  get childCount(): number {
    return this.children.size;
  }

  /** Ends children, then services; errors of single services are thrown together once all have ended. */
  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.parent?.children.delete(this);
    const errors: unknown[] = [];
    for (const ending of [...this.children, ...this.constructed.splice(0).reverse()]) {
      try {
        disposeOf(ending);
      } catch (error) {
        errors.push(error);
      }
    }
    this.bindings.unbindAll();
    if (errors.length > 0) throw new AggregateError(errors, 'Services failed to end');
  }
}

function disposeOf(service: unknown): void {
  const { dispose, [Symbol.dispose]: disposer } = service as { dispose?: unknown; [Symbol.dispose]?: unknown };
  const end = dispose ?? disposer;
  if (typeof end === 'function') end.call(service);
}
