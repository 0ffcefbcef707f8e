import { useLoaderData } from "react-router";

export const loader = async () => ({ words: "A page of React Router with a loader, and nothing else." });

export default function Bare() {
  const { words } = useLoaderData<typeof loader>();
  return (
    <main>
      <h1>Bare</h1>
      <p>{words}</p>
    </main>
  );
}
