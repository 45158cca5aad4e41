"""What the tables of Antipode hold, with pandas: a folder of `certify` or `analyse`.

    python reports/examples/tables.py antipode-out

Each block stands alone, to be pasted into a notebook.
"""

import sys
from pathlib import Path

import pandas as pd

root = Path(sys.argv[1] if len(sys.argv) > 1 else "antipode-out")


# The one line for levels.csv. Its last row, of a search back from all solved positions, has the
# depth "unsolvable", which becomes <NA>; a digest is a text, even if all of its digits are decimal.
def levels(file):
    return pd.read_csv(
        file,
        dtype={"depth": "Int64", "digest": str},
        na_values={"depth": ["unsolvable"]},
    )


# ---- level tables: how many positions, how far the farthest, how many no move sequence solves --

for file in sorted(root.rglob("levels.csv")):
    if pd.read_csv(file, nrows=0).columns[0] != "depth":
        continue  # of one solution, from both of its ends
    table = levels(file)
    reached = table[table["depth"].notna()]
    unsolvable = table.loc[table["depth"].isna(), "states"].sum()
    mean = (reached["depth"] * reached["states"]).sum() / reached["states"].sum()
    print(
        f"{file.parent.name}: {reached['states'].sum():,} positions, the farthest "
        f"{reached['depth'].max()} moves away, {mean:.2f} on average; {unsolvable:,} unsolvable"
    )
    growth = reached["states"].astype(float).div(reached["states"].astype(float).shift())
    print(f"  a level holds {growth.median():.3f} times the one before it, in the middle")

# ---- claims: what came of them, puzzle by puzzle ------------------------------------------------

claims_csv = root / "claims.csv"
if claims_csv.exists():
    rows = pd.read_csv(claims_csv, dtype=str, keep_default_na=False)
    # Rows of a claim's table, such as 1,332 lengths, name it in the column `table`.
    claims = rows[rows["table"] == ""]
    print(f"{len(claims)} claims, and {len(rows) - len(claims)} rows of their tables")
    print(pd.crosstab(claims["puzzle"], claims["verdict"]).to_string())
    refuted = claims[claims["verdict"] == "refuted"]
    for claim in refuted.itertuples():
        print(f"refuted: {claim.id}: {claim.statement}")
    lengths = rows[rows["table"] != ""]
    for table, of in lengths.groupby("table"):
        known = pd.to_numeric(of["found"], errors="coerce").dropna()
        print(f"{table}: {len(known)} of {len(of)} known, {known.mean():.2f} moves on average")
