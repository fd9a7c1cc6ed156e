"""Checks the C++ sources of Bazel's targets with tensorleak, one action for each source.

Copy this file into a package of yours (with an empty BUILD.bazel), and then

    bazel build //... --aspects=//tools:tensorleak.bzl%tensorleak --output_groups=tensorleak

leaves a SARIF log beside the outputs of each target, NAME.SOURCE.tensorleak.sarif; a finding fails
nothing. With --aspects=//tools:tensorleak.bzl%tensorleak_strict a warning fails the build.

The command `tensorleak` is taken from the PATH that actions have (--action_env=PATH), so it has to
be in the image of remote workers. Bazel keeps the results, and tensorleak's own cache stays out of
it. Each source is checked alone: what other files do is not known, and where a finding rests on
that, the rules are silent.
"""

load("@bazel_tools//tools/build_defs/cc:action_names.bzl", "ACTION_NAMES")
load("@bazel_tools//tools/cpp:toolchain_utils.bzl", "find_cpp_toolchain")

_SOURCES = ["c", "cc", "cpp", "cxx", "c++", "C", "cu"]

# What fails a build is said to people, too.
_COMMAND = """
log=$1; shift
tensorleak check --no-cache --quiet --format sarif -o "$log" "$@" && exit
code=$?
tensorleak check --no-cache --quiet "$@"
exit $code
"""

def _sources_of(rule):
    found = []
    for source in getattr(rule.attr, "srcs", []):
        found += [file for file in source.files.to_list() if file.extension in _SOURCES]
    return found

def _command_of(ctx, context, toolchain):
    """The compiler's flags for a source of this target, without source and output."""
    features = cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )
    variables = cc_common.create_compile_variables(
        feature_configuration = features,
        cc_toolchain = toolchain,
        user_compile_flags = ctx.fragments.cpp.copts + ctx.fragments.cpp.cxxopts +
                             getattr(ctx.rule.attr, "copts", []),
        include_directories = context.includes,
        quote_include_directories = context.quote_includes,
        system_include_directories = context.system_includes,
        preprocessor_defines = depset(transitive = [context.defines, context.local_defines]),
    )
    return cc_common.get_memory_inefficient_command_line(
        feature_configuration = features,
        action_name = ACTION_NAMES.cpp_compile,
        variables = variables,
    )

def _check(ctx, source, flags, inputs):
    log = ctx.actions.declare_file("%s.%s.tensorleak.sarif" % (ctx.label.name, source.basename))
    ctx.actions.run_shell(
        command = _COMMAND,
        arguments = [log.path, "--fail-level", ctx.attr.fail_level, source.path, "--"] + flags,
        inputs = inputs,
        outputs = [log],
        use_default_shell_env = True,
        mnemonic = "Tensorleak",
        progress_message = "Checking %s for leaks" % source.short_path,
    )
    return log

def _check_target(target, ctx):
    sources = _sources_of(ctx.rule) if CcInfo in target else []
    if not sources:
        return [OutputGroupInfo(tensorleak = depset())]
    context = target[CcInfo].compilation_context
    toolchain = find_cpp_toolchain(ctx)
    flags = _command_of(ctx, context, toolchain)
    inputs = depset(sources, transitive = [context.headers, toolchain.all_files])
    logs = [_check(ctx, source, flags, inputs) for source in sources]
    return [OutputGroupInfo(tensorleak = depset(logs))]

def _aspect(fail_level):
    return aspect(
        implementation = _check_target,
        attr_aspects = ["deps"],
        attrs = {
            "fail_level": attr.string(values = [fail_level], default = fail_level),
            "_cc_toolchain": attr.label(
                default = Label("@bazel_tools//tools/cpp:current_cc_toolchain"),
            ),
        },
        fragments = ["cpp"],
        toolchains = ["@bazel_tools//tools/cpp:toolchain_type"],
    )

tensorleak = _aspect("none")
tensorleak_strict = _aspect("warning")
