export { default } from "../app/root.tsx";
