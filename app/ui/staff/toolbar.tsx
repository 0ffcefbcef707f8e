/** Chips, forms and links above a list of staff pages: one row on wide screens, below each other on narrow ones. */
import type { ComponentProps, ReactNode } from "react";
import { Form } from "react-router";
import { Chips } from "../nav.tsx";

export const Toolbar = ({ children }: { children: ReactNode }) => (
  <div className="mb-2 flex flex-wrap items-center gap-x-4 gap-y-2">{children}</div>
);

export const ToolbarChips = (props: ComponentProps<typeof Chips>) => (
  <div className="min-w-0 max-desktop:w-full">
    <Chips {...props} />
  </div>
);

export const ToolbarForm = (props: ComponentProps<typeof Form>) => (
  <Form {...props} className="row gap-1 max-desktop:w-full max-desktop:flex-wrap" />
);

/** `children`: the control, with `toolbarInput`. */
export const ToolbarField = ({ label, children }: { label: string; children: ReactNode }) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is a child
  <label className="min-w-0 flex-[1_1_8rem] desktop:flex-[0_1_9.5rem]">
    <span className="sr-only">{label}</span>
    {children}
  </label>
);
export const toolbarInput = "input min-h-target-min text-sm max-desktop:w-full";
