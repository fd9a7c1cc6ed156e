# accelerators.test: TENSORLEAK, the repository, a folder, the flags
tensorleak=$1 repository=$2 folder=$3
shift 3
export TENSORLEAK_CACHE_DIR="$folder/cache"
files="$(ls "$repository"/examples/*.cpp "$repository"/test/checks/*/[a-c]*.cpp)"
check() {
  names=$1 out=$2
  shift 2
  "$tensorleak" check $names --level note --format sarif --stats "$@" >"$folder/$out" 2>&1
  sed -i 's/checked in .*//' "$folder/$out"
}
compare() { cmp -s "$folder/out" "$folder/uncached" && echo "$1: same" || echo "$1: different"; }
check "$files" uncached --no-cache -- "$@"
grep -q ruleId "$folder/uncached" && echo "uncached: findings"
check "$files" out -- "$@"
compare empty
check "$files" out -- "$@"
compare full
rm "$folder"/cache/*.result
check "$files" out -- "$@"
compare "headers only"
check "$(echo "$files" | sort -r)" out -j 1 -- "$@"
compare "in another order"
# The examples as one project whose targets differ in what they define and where they look.
number=0
separator='['
for file in "$repository"/examples/*.cpp; do
  number=$((number + 1))
  own="$folder/target$((number % 3))"
  mkdir -p "$own"
  printf '%s{"directory": "%s", "file": "%s", "command": "g++ %s -I%s -DTARGET_%s -c %s"}\n' \
    "$separator" "$folder" "$file" "$*" "$own" "$number" "$file"
  separator=,
done >"$folder/compile_commands.json"
echo ']' >>"$folder/compile_commands.json"
rm -r "$folder/cache"
check "" uncached -p "$folder" --no-cache
check "" out -p "$folder"
compare "many flags, empty"
check "" out -p "$folder"
compare "many flags, full"
echo "many flags: $(ls "$folder"/cache | grep -c '\.pch$') preludes"
